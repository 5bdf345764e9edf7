import type { Calls } from '../../../azure-tables/client';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem, PatternValues } from '../../../design/infer';
import { pagesOf, wholeList } from '../../lists';
import type { documentTypesTable } from '../design';
import {
  IdTaken,
  inSeconds,
  isLeftBehind,
  isSame,
  Refusal,
  type RetryOptions,
  refuseOthers,
  untilSettled,
} from './retry';

type DocumentType = PatternItem<typeof documentTypesTable, 'documentTypeById'>;
type Types = Calls<typeof documentTypesTable>;
interface Changer
  extends Pick<Types, 'documentTypeById' | 'allDocumentTypes' | 'settleDocumentType' | 'deleteDocumentType'> {}
interface Adder extends Changer, Pick<Types, 'addDocumentType'> {}
type Options = Pick<RetryOptions, 'now' | 'pause'>;

export type NewDocumentType = Omit<EntityValues<typeof documentTypesTable, 'DocumentType'>, 'PendingName'>;

/** Another active type has this name. */
export class NameTaken extends Refusal {
  public override readonly name = 'NameTaken';
}

/** There is no such type. */
export class DocumentTypeNotFound extends Refusal {
  public override readonly name = 'DocumentTypeNotFound';
}

/** The types that appear for selection, by `SortOrder`: Azure Tables know no order but that of the keys. */
export async function documentTypes(client: Pick<Types, 'activeDocumentTypes'>): Promise<readonly DocumentType[]> {
  const found: DocumentType[] = [];
  for await (const { items } of pagesOf((options) => client.activeDocumentTypes({}, options))) found.push(...items);
  return found.sort((a, b) => a.SortOrder - b.SortOrder || (a.Name < b.Name ? -1 : 1));
}

/**
 * Adds a type unless an active one has its name. Asked again, it goes on where it was left; of a type that was made it makes
 * no second.
 */
export async function createDocumentType(
  client: Adder,
  type: NewDocumentType,
  { now = () => new Date(), ...options }: Options = {},
): Promise<void> {
  let isMade = false;
  await untilSettled(options, async () => {
    const there = await client.documentTypeById({ Id: type.Id });
    if (there !== undefined) {
      isMade = true;
      refuseOther(type, there);
      return there.PendingName === undefined ? there : settled(client, there, now());
    }
    // It was there, and another one who had waited long enough has the name now.
    if (isMade) throw taken(type.Name);
    await client.addDocumentType(beingMade(type, now()));
    isMade = true;
    return undefined;
  });
}

/** A type before it is active. */
function beingMade(type: NewDocumentType, now: Date): PatternValues<typeof documentTypesTable, 'addDocumentType'> {
  const { Id, Name, Prefix, IsActive, SortOrder, CreatedAt, UpdatedAt, ...others } = type;
  refuseOthers('DocumentType', others);
  return {
    ...{ Id, Name, SortOrder, CreatedAt, UpdatedAt },
    ...(Prefix === undefined ? {} : { Prefix }),
    ...(IsActive ? { PendingName: { Name, Since: inSeconds(now), IsNew: true } } : {}),
  };
}

function refuseOther(type: NewDocumentType, { PendingName: pending, ...there }: DocumentType): void {
  const made = { ...there, IsActive: there.IsActive || pending?.IsNew === true };
  if (isSame({ ...type, UpdatedAt: undefined }, { ...made, UpdatedAt: undefined })) return;
  throw new IdTaken(`document type '${type.Id}' exists already, and is another; give another id, or change that one`);
}

/** What of a type can be changed. */
export type DocumentTypeChanges = Partial<Pick<NewDocumentType, 'Name' | 'Prefix' | 'SortOrder' | 'IsActive'>>;

/** Changes a type. Where it is active under another name then, or is active again, no other active one may have its name. */
export async function changeDocumentType(
  client: Changer,
  { Id, ...changes }: { readonly Id: string } & DocumentTypeChanges,
  { now = () => new Date(), ...options }: Options = {},
): Promise<DocumentType> {
  let isBegun = false;
  return untilSettled(options, async () => {
    const type = await madeType(client, Id);
    const { PendingName: pending, ...rest } = type;
    const next = { ...rest, ...changes, UpdatedAt: inSeconds(now()) };
    const isNamed = isSameName(rest.Name, next.Name) && rest.IsActive;
    if (!next.IsActive || isNamed) {
      await client.settleDocumentType(next, { etag: etagOf(type) as string });
      return next;
    }
    if (pending?.Name === next.Name) return settled(client, type, now());
    // It was begun, and another one who had waited long enough has the name now.
    if (isBegun) throw taken(next.Name);
    const PendingName = { Name: next.Name, Since: next.UpdatedAt, IsNew: false };
    const begun = { ...next, Name: rest.Name, IsActive: rest.IsActive, PendingName };
    await client.settleDocumentType(begun, { etag: etagOf(type) as string });
    isBegun = true;
    return undefined;
  });
}

/** Ends a type, whose name is free then. That there is none any more is no failure. */
export async function removeDocumentType(
  client: Pick<Types, 'documentTypeById' | 'deleteDocumentType'>,
  { Id }: { readonly Id: string },
  options: Pick<RetryOptions, 'pause'> = {},
): Promise<void> {
  await untilSettled(options, async () => {
    const type = await client.documentTypeById({ Id });
    if (type !== undefined) await client.deleteDocumentType({ Id }, { etag: etagOf(type) as string });
    return true;
  });
}

/**
 * Makes a type active under the name that it is about to have. No key keeps names apart, so that each says first which name it
 * wants (`PendingName`), and then looks at all others: of two, the later one sees the other. The one with the smaller id stays,
 * the other gives up. Whoever seems to be dead is taken out of the way first, so that it cannot come back later.
 */
async function settled(client: Changer, type: DocumentType, now: Date): Promise<DocumentType | undefined> {
  const { PendingName: pending, ...rest } = type;
  const { Name } = pending as { Name: string };
  const all = await wholeList(
    (options) => client.allDocumentTypes({}, options),
    (unread) => new Refusal(`${unread} not as designed, and may have the name '${Name}'; mend them, and try again`),
  ).catch(async (error) => {
    if (error instanceof Refusal) await withoutPending(client, type);
    throw error;
  });
  const others = all.filter(({ Id }) => Id !== type.Id);
  const isTaken = others.some((other) => other.IsActive && isSameName(other.Name, Name));
  const rivals = others.filter((other) => isSameName(other.PendingName?.Name, Name));
  const dead = rivals.filter((other) => isLeftBehind((other.PendingName as { Since: string }).Since, now));
  if (isTaken || rivals.some((other) => !dead.includes(other) && other.Id < type.Id)) {
    await withoutPending(client, type);
    throw taken(Name);
  }
  for (const other of dead) await withoutPending(client, other);
  // The others will see that they are too late.
  if (rivals.length > 0) return undefined;
  const active = { ...rest, Name, IsActive: true, UpdatedAt: inSeconds(now) };
  await client.settleDocumentType(active, { etag: etagOf(type) as string });
  return active;
}

/** Takes back that a type wants a name. One that was being made is none. */
async function withoutPending(client: Changer, type: DocumentType): Promise<void> {
  const { PendingName: pending, ...rest } = type;
  const etag = etagOf(type) as string;
  await (pending?.IsNew
    ? client.deleteDocumentType({ Id: type.Id }, { etag })
    : client.settleDocumentType(rest, { etag }));
}

/** A type that is there, and is not only being made. */
async function madeType(client: Pick<Types, 'documentTypeById'>, Id: string): Promise<DocumentType> {
  const type = await client.documentTypeById({ Id });
  if (type !== undefined && !type.PendingName?.IsNew) return type;
  const what =
    type === undefined ? 'there is no such type' : 'it is being made, and createDocumentType has not come to its end';
  throw new DocumentTypeNotFound(`document type '${Id}': ${what}; read documentTypes for those there are`);
}

/** The document's seed data. The ids are fixed, so that a second run finds what the first one made. */
export const SEED: readonly Pick<NewDocumentType, 'Id' | 'Name' | 'Prefix' | 'SortOrder'>[] = [
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000001', Name: 'Comunicação Interna', Prefix: 'CI', SortOrder: 1 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000002', Name: 'Ofício', Prefix: 'OF', SortOrder: 2 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000003', Name: 'Despacho', Prefix: 'DESP', SortOrder: 3 },
];

/** Adds the types that are missing. One that is there stays as it is, whatever has been changed in it. */
export async function seedDocumentTypes(
  client: Adder,
  _: object = {},
  { now = () => new Date(), ...options }: Options = {},
): Promise<readonly { readonly Name: string; readonly added: boolean }[]> {
  const CreatedAt = inSeconds(now());
  const seeded: { Name: string; added: boolean }[] = [];
  for (const type of SEED) {
    const there = await client.documentTypeById({ Id: type.Id });
    const isLeft = there?.PendingName?.IsNew === true;
    // One that was being made, when it was left, is made now.
    const made = { CreatedAt, UpdatedAt: CreatedAt, ...there, ...type, IsActive: true };
    const { PendingName: __, ...wanted } = made as DocumentType;
    const added = (there === undefined || isLeft) && (await isAdded(client, wanted, { now, ...options }));
    seeded.push({ Name: type.Name, added });
  }
  return seeded;
}

/** A type of that name that was made by hand is as good. */
async function isAdded(client: Adder, type: NewDocumentType, options: Options): Promise<boolean> {
  try {
    await createDocumentType(client, type, options);
    return true;
  } catch (error) {
    if (!(error instanceof NameTaken) && !(error instanceof IdTaken)) throw error;
    return false;
  }
}

function isSameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function taken(Name: string): NameTaken {
  return new NameTaken(`'${Name}' is the name of another active document type; give another, or deactivate that one`);
}
