import type { Calls } from '../../../azure-tables/client';
import { EntityExists } from '../../../azure-tables/errors';
import { etagOf, keepEtag } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem } from '../../../design/infer';
import { inSeconds } from '../../times';
import { FIRST_YEAR } from '../attributes';
import type { documentTypesTable, numberLogsTable, sequencesTable } from '../design';
import type { usersTable } from '../users';
import type { NumberLog } from './logs';
import { type ProcedureOptions, untilSettled } from './retry';
import type { User } from './users';

type Sequence = PatternItem<typeof sequencesTable, 'getSequence'>;
type PendingLog = NonNullable<EntityValues<typeof sequencesTable, 'Sequence'>['PendingLog']>;

// Interfaces, because the equivalent intersection types would be too deep for the compiler.
interface SequenceClient
  extends Pick<Calls<typeof sequencesTable>, 'getSequence' | 'openSequence' | 'saveSequence'>,
    Pick<Calls<typeof numberLogsTable>, 'writeLog' | 'getLog'> {}
interface NumberClient
  extends SequenceClient,
    Pick<Calls<typeof documentTypesTable>, 'documentTypeById'>,
    Pick<Calls<typeof usersTable>, 'userById'> {}

/** The document type of the new number, and the user whose current name and e-mail the log keeps. */
export interface NumberRequest {
  readonly DocumentTypeId: string;
  readonly UserId: string;
}

/** A number that a caller has taken, with its log's values. */
export type GivenNumber = PendingLog;

export class DocumentTypeUnavailable extends Error {
  public override readonly name = 'DocumentTypeUnavailable';
}

export class UserUnavailable extends Error {
  public override readonly name = 'UserUnavailable';
}

/**
 * Takes the next number of a document type in the current year, and logs it.
 *
 * The number and its log are in two tables, and no transaction spans both. nextNumber therefore writes three times: it
 * increments the number and stores the log in the sequence, then copies the log to its table, and finally removes the
 * log from the sequence. If a caller crashes in between, the log stays in the sequence. The next caller then writes
 * this log to its table before it takes a number.
 */
export async function nextNumber(
  client: NumberClient,
  request: NumberRequest,
  { now = () => new Date(), newId = () => crypto.randomUUID(), ...options }: ProcedureOptions = {},
): Promise<GivenNumber> {
  const type = await client.documentTypeById({ Id: request.DocumentTypeId });
  if (type === undefined || !type.IsActive) {
    const what = type === undefined ? 'this document type does not exist' : `'${type.Name}' is not active`;
    throw new DocumentTypeUnavailable(`${request.DocumentTypeId}: ${what}; call documentTypes to list active types`);
  }
  const user = await client.userById({ Id: request.UserId });
  if (user === undefined || !user.IsActive) {
    const what = user === undefined ? 'this user does not exist' : `'${user.Name}' is not active`;
    throw new UserUnavailable(`${request.UserId}: ${what}; call activeUsers to list the active users`);
  }
  let tried: PendingLog | undefined;
  return untilSettled(options, async () => {
    const year = now().getUTCFullYear();
    const sequence = await client.getSequence({ DocumentTypeId: type.Id, Year: year });
    if (tried !== undefined && (await wasDone(client, tried, sequence))) return finish(client, tried, sequence);
    const moment = now();
    // A new year may have begun since `year` was computed.
    if (moment.getUTCFullYear() !== year) return undefined;
    tried = logOf(newId(), user, type, (sequence?.LastNumber ?? 0) + 1, moment);
    return finish(client, tried, await take(client, sequence, tried));
  });
}

/** Writes the pending log of a sequence, for callers that cannot wait until the next number is taken. */
export async function repairSequence(
  client: SequenceClient,
  key: { readonly DocumentTypeId: string; readonly Year: number },
): Promise<void> {
  const sequence = await client.getSequence(key);
  if (sequence?.PendingLog !== undefined) await finish(client, sequence.PendingLog, sequence);
}

/** Takes a number, and returns the new sequence with its log. Throws if a concurrent caller took the number first. */
async function take(client: SequenceClient, sequence: Sequence | undefined, log: PendingLog): Promise<Sequence> {
  const { DocumentTypeId, Year, Number: LastNumber } = log;
  const taken = { DocumentTypeId, Year, LastNumber, UpdatedAt: inSeconds(log.GeneratedAt), PendingLog: log };
  if (sequence === undefined) {
    // No later caller reads the previous year's sequence, so this call writes its pending log.
    if (Year > FIRST_YEAR) await repairSequence(client, { DocumentTypeId, Year: Year - 1 });
    keepEtag(taken, (await client.openSequence(taken)).etag);
    return taken;
  }
  if (sequence.PendingLog !== undefined) await write(client, sequence.PendingLog);
  keepEtag(taken, (await client.saveSequence(taken, { etag: etagOf(sequence) as string })).etag);
  return taken;
}

/** Writes the log to its table and removes it from the sequence. */
async function finish(client: SequenceClient, log: PendingLog, sequence: Sequence | undefined): Promise<GivenNumber> {
  await write(client, log);
  const etag = etagOf(sequence);
  if (sequence?.PendingLog?.Id === log.Id && etag !== undefined) {
    const { PendingLog: _, ...rest } = sequence;
    // The log is already written, so if this write fails, the next caller finds the log in the table.
    await client.saveSequence(rest, { etag }).catch(() => undefined);
  }
  return log;
}

/** Writes a log. Several callers may write the same log, but the write is idempotent because they use the same key. */
async function write(client: SequenceClient, log: PendingLog): Promise<void> {
  await client.writeLog(log).catch(async (error) => {
    if (error instanceof EntityExists) return;
    // The write may have succeeded although its response was lost.
    if ((await client.getLog(log)) === undefined) throw error;
  });
}

/**
 * Whether a refused write had in fact succeeded: its response was lost, and only the SDK's second attempt was refused.
 * The caller then already has the number and must not take another.
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

type DocumentType = PatternItem<typeof documentTypesTable, 'documentTypeById'>;

function logOf(Id: string, user: User, type: DocumentType, number: number, moment: Date): PendingLog {
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

/** The `FormattedNumber` of a log, even if the log was written before this attribute existed. */
export function formattedNumber(log: Pick<NumberLog, 'Number' | 'Year' | 'FormattedNumber'>): string {
  return log.FormattedNumber ?? `${log.Number}/${log.Year}`;
}

const BRASILIA = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** The local time in Brasília, with its UTC offset. */
export function inBrasilia(moment: Date): string {
  const local = BRASILIA.format(moment).replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(inSeconds(moment))) / 60_000);
  const two = (n: number) => String(Math.trunc(n)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
