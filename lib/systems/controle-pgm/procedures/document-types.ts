import type { Client } from '../../../azure-tables/client';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem } from '../../../design/infer';
import type { RetryOptions } from '../../../items/retry';
import { everyItem } from '../../lists';
import { inSeconds } from '../../times';
import type { documentTypesTable } from '../design';
import { IdTaken, isSame, type ProcedureOptions, Refusal, untilSettled } from './retry';

type DocumentType = PatternItem<typeof documentTypesTable, 'documentTypeById'>;
type Types = Client<typeof documentTypesTable>;
interface Changer extends Pick<Types, 'allDocumentTypes' | 'renameType' | 'saveDocumentType'> {}
interface Adder extends Changer, Pick<Types, 'addDocumentType' | 'addActiveType' | 'deleteDocumentType'> {}
type Options = Pick<ProcedureOptions, 'now' | 'pause'>;

export type NewDocumentType = EntityValues<typeof documentTypesTable, 'DocumentType'>;
export type DocumentTypeChanges = Partial<Pick<NewDocumentType, 'Name' | 'Prefix' | 'SortOrder' | 'IsActive'>>;

export class NameTaken extends Refusal {
  public override readonly name = 'NameTaken';
}

export class DocumentTypeNotFound extends Refusal {
  public override readonly name = 'DocumentTypeNotFound';
}

/** Returns the types that users can select, sorted by `SortOrder`, because Azure Tables can sort only by key. */
export async function documentTypes(client: Pick<Types, 'activeDocumentTypes'>): Promise<readonly DocumentType[]> {
  const found: DocumentType[] = [];
  for await (const type of client.activeDocumentTypes.all({})) found.push(type);
  return found.sort((a, b) => a.SortOrder - b.SortOrder || (a.Name < b.Name ? -1 : 1));
}

/** Adds a type unless an active type already has its name. A retry with the same type is idempotent. */
export async function createDocumentType(
  client: Adder,
  type: NewDocumentType,
  options: RetryOptions = {},
): Promise<void> {
  const { IsActive } = type;
  await untilSettled(options, async () => {
    const types = await everyItem(client.allDocumentTypes, {});
    const mine = types.find(({ Id }) => Id === type.Id);
    if (mine !== undefined && !isSame(compared({ ...type, IsActive: mine.IsActive && IsActive }), compared(mine)))
      throw new IdTaken(`document type '${type.Id}' already exists; give another id, or change the existing type`);
    if (mine?.IsActive === IsActive) return true;
    const first = types[0];
    if (IsActive && hasRival(types, type)) {
      if (mine !== undefined) await client.deleteDocumentType(type, { etag: etagOf(mine) as string });
      throw taken(type.Name);
    }
    if (mine !== undefined) await save(client, types, mine, { IsActive, UpdatedAt: type.UpdatedAt });
    // An empty table has no first type to rewrite, so the type is added as inactive. The next attempt activates it.
    else if (!IsActive || first === undefined) await client.addDocumentType({ ...type, IsActive: false });
    else await client.addActiveType({ type, ...rewritten(first) }, { etags: { first: etagOf(first) as string } });
    return IsActive && first === undefined ? undefined : true;
  });
}

const compared = (type: NewDocumentType) => ({ ...type, UpdatedAt: undefined });

/** Changes a type. Fails if the changed type would be active and share its name with another active type. */
export async function changeDocumentType(
  client: Changer,
  { Id, ...changes }: { readonly Id: string } & DocumentTypeChanges,
  { now = () => new Date(), ...options }: Options = {},
): Promise<DocumentType> {
  return untilSettled(options, async () => {
    const types = await everyItem(client.allDocumentTypes, {});
    const type = types.find((one) => one.Id === Id);
    if (type === undefined)
      throw new DocumentTypeNotFound(`document type '${Id}' does not exist; call documentTypes to list the ids`);
    const next = { ...type, ...changes };
    if (isSame(next, type)) return type;
    if (next.IsActive && hasRival(types, next)) throw taken(next.Name);
    const UpdatedAt = inSeconds(now());
    await save(client, types, type, { ...changes, UpdatedAt });
    return { ...next, UpdatedAt };
  });
}

type Changes = DocumentTypeChanges & { readonly UpdatedAt: string };

/** Writes changes to a type if neither this type nor the first type has changed since the caller read all types. */
async function save(client: Changer, types: readonly DocumentType[], type: DocumentType, changes: Changes) {
  const first = types[0] as DocumentType;
  const values = { Id: type.Id, ...changes };
  const etag = etagOf(type) as string;
  if (first === type) await client.saveDocumentType(values, { etag });
  else
    await client.renameType(
      { ...values, ...rewritten(first) },
      { etags: { type: etag, first: etagOf(first) as string } },
    );
}

function rewritten({ Id, IsActive }: DocumentType) {
  return { FirstId: Id, FirstIsActive: IsActive };
}

/** The document's seed data. The ids are fixed, so that a second run finds the types of the first run. */
export const SEED: readonly Pick<NewDocumentType, 'Id' | 'Name' | 'Prefix' | 'SortOrder'>[] = [
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000001', Name: 'Comunicação Interna', Prefix: 'CI', SortOrder: 1 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000002', Name: 'Ofício', Prefix: 'OF', SortOrder: 2 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000003', Name: 'Despacho', Prefix: 'DESP', SortOrder: 3 },
];

/** Adds the types that are missing. Skips a type whose id or name is already in use. */
export async function seedDocumentTypes(
  client: Adder,
  _: object = {},
  { now = () => new Date(), ...options }: Options = {},
): Promise<readonly { readonly Name: string; readonly added: boolean }[]> {
  const types = await everyItem(client.allDocumentTypes, {});
  const seeded: { Name: string; added: boolean }[] = [];
  for (const type of SEED) {
    const mine = types.find(({ Id }) => Id === type.Id);
    const { CreatedAt = inSeconds(now()), UpdatedAt = CreatedAt, IsActive = false } = mine ?? {};
    // An inactive type that was never changed was left behind by an interrupted run.
    const isDone = IsActive || UpdatedAt !== CreatedAt;
    const added = !isDone && (await isAdded(client, { ...type, IsActive: true, CreatedAt, UpdatedAt }, options));
    seeded.push({ Name: type.Name, added });
  }
  return seeded;
}

async function isAdded(client: Adder, type: NewDocumentType, options: RetryOptions) {
  try {
    await createDocumentType(client, type, options);
    return true;
  } catch (error) {
    if (!(error instanceof NameTaken) && !(error instanceof IdTaken)) throw error;
    return false;
  }
}

function hasRival(types: readonly DocumentType[], { Id, Name }: Pick<DocumentType, 'Id' | 'Name'>): boolean {
  return types.some((one) => one.Id !== Id && one.IsActive && one.Name.toLowerCase() === Name.toLowerCase());
}

function taken(Name: string): NameTaken {
  return new NameTaken(
    `'${Name}' is the name of another active document type; choose another name, or rename or deactivate that type`,
  );
}
