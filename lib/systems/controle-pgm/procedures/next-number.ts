import type { Calls } from '../../../azure-tables/client';
import { EntityExists } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem } from '../../../design/infer';
import { inSeconds } from '../../times';
import type { documentTypesTable, numberLogsTable, sequencesTable } from '../design';
import type { usersTable } from '../users';
import { ATTEMPTS, isLostRace, type ProcedureOptions, randomPause } from './retry';

type Sequence = PatternItem<typeof sequencesTable, 'getSequence'>;
type PendingLog = NonNullable<EntityValues<typeof sequencesTable, 'Sequence'>['PendingLog']>;

// Interfaces, since the compiler compares those by name: the same as intersections is too deep for it.
interface SequenceClient
  extends Pick<Calls<typeof sequencesTable>, 'getSequence' | 'openSequence' | 'saveSequence'>,
    Pick<Calls<typeof numberLogsTable>, 'writeLog' | 'getLog'> {}
interface NumberClient
  extends SequenceClient,
    Pick<Calls<typeof documentTypesTable>, 'documentTypeById'>,
    Pick<Calls<typeof usersTable>, 'userById'> {}

/** Who asks for a number, and of what. The name and the e-mail of the user are kept as they are now. */
export interface NumberRequest {
  readonly DocumentTypeId: string;
  readonly UserId: string;
}

/** A number that was given: it is in the log, and no other has it. */
export type GivenNumber = PendingLog;

/** There is no such type, or it is not active. */
export class DocumentTypeUnavailable extends Error {
  public override readonly name = 'DocumentTypeUnavailable';
}

/** There is no such user, or it is not active. */
export class UserUnavailable extends Error {
  public override readonly name = 'UserUnavailable';
}

/** Others were faster every time; no number was given. */
export class NumberContention extends Error {
  public override readonly name = 'NumberContention';
}

/**
 * The next number of a type in the year of this moment, with its log.
 *
 * The number and its log are in two tables, which no transaction spans. So the log is first put into the sequence, in the
 * one write that also raises the number; only then is it written where it belongs, and taken out of the sequence. Whoever
 * dies in between leaves it there, and whoever comes next writes it before taking a number of their own.
 */
export async function nextNumber(
  client: NumberClient,
  request: NumberRequest,
  { pause = randomPause, now = () => new Date(), newId = () => crypto.randomUUID() }: ProcedureOptions = {},
): Promise<GivenNumber> {
  const type = await client.documentTypeById({ Id: request.DocumentTypeId });
  if (type === undefined || !type.IsActive) {
    const what = type === undefined ? 'there is no such document type' : `'${type.Name}' is not active`;
    throw new DocumentTypeUnavailable(`${request.DocumentTypeId}: ${what}; read documentTypes for those there are`);
  }
  const user = await client.userById({ Id: request.UserId });
  if (user === undefined || !user.IsActive) {
    const what = user === undefined ? 'there is no such user' : `'${user.Name}' is not active`;
    throw new UserUnavailable(`${request.UserId}: ${what}; read activeUsers for those there are`);
  }
  let tried: PendingLog | undefined;
  for (let attempt = 1; ; attempt++) {
    const start = performance.now();
    const year = now().getUTCFullYear();
    const sequence = await client.getSequence({ DocumentTypeId: type.Id, Year: year });
    if (tried !== undefined && (await wasDone(client, tried, sequence))) return finish(client, tried, sequence);
    const moment = now();
    // Years may change while we ask.
    if (moment.getUTCFullYear() === year) {
      const log = logOf(newId(), user, type, (sequence?.LastNumber ?? 0) + 1, moment);
      const taken = await take(client, sequence, log).catch(async (error) => {
        if (!isLostRace(error) && !(await isTaken(client, log))) throw error;
        return undefined;
      });
      if (taken !== undefined) return finish(client, log, taken);
      tried = log;
    }
    if (attempt === ATTEMPTS) {
      throw new NumberContention(`others were faster ${attempt} times; no number was given, try again later`);
    }
    await pause(attempt, performance.now() - start);
  }
}

/** Writes the log that a sequence still carries, if it does: for who wants to see all logs before the next number. */
export async function repairSequence(
  client: SequenceClient,
  key: { readonly DocumentTypeId: string; readonly Year: number },
): Promise<void> {
  const sequence = await client.getSequence(key);
  if (sequence?.PendingLog !== undefined) await finish(client, sequence.PendingLog, sequence);
}

/** Takes a number: the sequence as it is then, with the log in it. Fails if another one was faster. */
async function take(client: SequenceClient, sequence: Sequence | undefined, log: PendingLog): Promise<Sequence> {
  const { DocumentTypeId, Year, Number: LastNumber } = log;
  const taken = { DocumentTypeId, Year, LastNumber, UpdatedAt: inSeconds(log.GeneratedAt), PendingLog: log };
  if (sequence === undefined) {
    // The last number of the year before may have nobody to come after it.
    await repairSequence(client, { DocumentTypeId, Year: Year - 1 }).catch(ignoreYear(Year - 1));
    return remembered(taken, await client.openSequence(taken));
  }
  if (sequence.PendingLog !== undefined) await write(client, sequence.PendingLog);
  return remembered(taken, await client.saveSequence(taken, { etag: etagOf(sequence) as string }));
}

/** The log in its place, and no longer in the sequence. */
async function finish(client: SequenceClient, log: PendingLog, sequence: Sequence | undefined): Promise<GivenNumber> {
  await write(client, log);
  const etag = written.get(sequence as object) ?? etagOf(sequence);
  if (sequence?.PendingLog?.Id === log.Id && etag !== undefined) {
    const { PendingLog: _, ...rest } = sequence;
    // Whatever becomes of this, the log is in its place: at worst, whoever comes next finds that it is.
    await client.saveSequence(rest, { etag }).catch(() => undefined);
  }
  return log;
}

/** The same log may be written by more than one, and is one all the same: they all have its key. */
async function write(client: SequenceClient, log: PendingLog): Promise<void> {
  await client.writeLog(log).catch(async (error) => {
    if (error instanceof EntityExists) return;
    // A write whose answer is lost may have been done.
    if ((await client.getLog(log)) === undefined) throw error;
  });
}

/**
 * Whether a write that was refused had been done after all: its answer may have been lost, and the SDK have sent it again.
 * Then the number is ours, and to take another one would give two.
 */
async function wasDone(
  client: SequenceClient,
  { Id, Number: number, GeneratedAt }: PendingLog,
  now: Sequence | undefined,
): Promise<boolean> {
  if (now === undefined || now.LastNumber < number) return false;
  if (now.LastNumber === number && now.PendingLog !== undefined) return now.PendingLog.Id === Id;
  return (await client.getLog({ Id, GeneratedAt })) !== undefined;
}

/** The same of a write that nobody knows the end of: its answer never came, and it may have been done. */
async function isTaken(client: SequenceClient, log: PendingLog): Promise<boolean> {
  const { DocumentTypeId, Year } = log;
  return client.getSequence({ DocumentTypeId, Year }).then(
    (sequence) => wasDone(client, log, sequence),
    () => false,
  );
}

const written = new WeakMap<object, string>();

function remembered(sequence: Sequence, { etag }: { readonly etag?: string }): Sequence {
  if (etag !== undefined) written.set(sequence, etag);
  return sequence;
}

interface Named {
  readonly Id: string;
  readonly Name: string;
}

function logOf(
  Id: string,
  user: Named & { readonly Email: string },
  type: Named,
  number: number,
  moment: Date,
): PendingLog {
  const Year = moment.getUTCFullYear();
  return {
    Id,
    DocumentTypeId: type.Id,
    DocumentTypeName: type.Name,
    UserId: user.Id,
    UserName: user.Name,
    UserEmail: user.Email,
    Number: number,
    Year,
    FormattedNumber: `${number}/${Year}`,
    GeneratedAt: moment.toISOString(),
    GeneratedAtLocal: inBrasilia(moment),
  };
}

/** `FormattedNumber`, also of a log of the time before there was one. */
export function formattedNumber(log: {
  readonly Number: number;
  readonly Year: number;
  FormattedNumber?: string | undefined;
}) {
  return log.FormattedNumber ?? `${log.Number}/${log.Year}`;
}

const BRASILIA = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** What the clocks in Brasília show, with their distance from UTC. */
export function inBrasilia(moment: Date): string {
  const local = BRASILIA.format(moment).replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(inSeconds(moment))) / 60_000);
  const two = (n: number) => String(Math.trunc(n)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** Before the first year there is none to look at. */
function ignoreYear(year: number): (error: unknown) => void {
  return (error) => {
    if (year >= 2020) throw error;
  };
}
