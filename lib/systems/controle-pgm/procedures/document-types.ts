import type { Calls } from '../../../azure-tables/client';
import { EntityExists } from '../../../azure-tables/errors';
import type { EntityValues, PatternItem } from '../../../design/infer';
import type { documentTypesTable } from '../design';
import { inSeconds, isSame, type RetryOptions, randomPause } from './retry';

type DocumentType = PatternItem<typeof documentTypesTable, 'activeDocumentTypes'>;
type Types = Calls<typeof documentTypesTable>;

export type NewDocumentType = EntityValues<typeof documentTypesTable, 'DocumentType'>;

/** How often two that took each other's name away try again. */
const ATTEMPTS = 10;

/** Another active type has this name. */
export class NameTaken extends Error {
  public override readonly name = 'NameTaken';
}

/** The types that appear for selection, by `SortOrder`: Azure Tables know no order but that of the keys. */
export async function documentTypes(client: Pick<Types, 'activeDocumentTypes'>): Promise<readonly DocumentType[]> {
  const found: DocumentType[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.activeDocumentTypes({}, cursor === undefined ? {} : { cursor });
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found.sort((a, b) => a.SortOrder - b.SortOrder || (a.Name < b.Name ? -1 : 1));
}

/**
 * Adds a type unless an active one has its name. No key keeps names apart, so that it is looked again after the write, and
 * who then sees another takes back its own: of two that came together, never both stay. If neither does, they try again,
 * each in its own time.
 */
export async function createDocumentType(
  client: Pick<Types, 'activeDocumentTypes' | 'documentTypeById' | 'addDocumentType' | 'removeDocumentType'>,
  type: NewDocumentType,
  { pause = randomPause }: Pick<RetryOptions, 'pause'> = {},
): Promise<void> {
  const isTaken = async () => type.IsActive && (await documentTypes(client)).some((other) => isNamesake(type, other));
  const isThere = async () => {
    const there = await client.documentTypeById({ Id: type.Id });
    return there !== undefined && isSame(type, there);
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const start = performance.now();
    if (!(await isTaken())) {
      // A write whose answer is lost may have been done.
      await client.addDocumentType(type).catch(async (error) => {
        if (!(await isThere())) throw error;
      });
      if (!(await isTaken())) return;
    } else if (!(await isThere())) break;
    // Also what an earlier try has left, which was stopped before it took back its own.
    await client.removeDocumentType({ Id: type.Id });
    await pause(attempt, performance.now() - start);
  }
  throw new NameTaken(
    `'${type.Name}' is the name of another active document type; give another, or deactivate that one`,
  );
}

/** The document's seed data. The ids are fixed, so that a second run finds what the first one made. */
export const SEED: readonly Pick<NewDocumentType, 'Id' | 'Name' | 'Prefix' | 'SortOrder'>[] = [
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000001', Name: 'Comunicação Interna', Prefix: 'CI', SortOrder: 1 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000002', Name: 'Ofício', Prefix: 'OF', SortOrder: 2 },
  { Id: '5e7d8c1a-0b2f-4c63-9a41-000000000003', Name: 'Despacho', Prefix: 'DESP', SortOrder: 3 },
];

/** Adds the types that are missing. One that is there stays as it is, whatever has been changed in it. */
export async function seedDocumentTypes(
  client: Pick<Types, 'activeDocumentTypes' | 'addDocumentType'>,
  _: object = {},
  { now = () => new Date() }: Pick<RetryOptions, 'now'> = {},
): Promise<readonly { readonly Name: string; readonly added: boolean }[]> {
  const CreatedAt = inSeconds(now());
  const active = await documentTypes(client);
  const seeded: { Name: string; added: boolean }[] = [];
  for (const type of SEED) {
    // A type of that name that was made by hand is as good.
    const isThere = active.some((other) => isNamesake(type, other));
    const added = !isThere && (await isAdded(client, { ...type, IsActive: true, CreatedAt, UpdatedAt: CreatedAt }));
    seeded.push({ Name: type.Name, added });
  }
  return seeded;
}

async function isAdded(client: Pick<Types, 'addDocumentType'>, type: NewDocumentType): Promise<boolean> {
  try {
    await client.addDocumentType(type);
    return true;
  } catch (error) {
    if (!(error instanceof EntityExists)) throw error;
    return false;
  }
}

function isNamesake(type: Pick<NewDocumentType, 'Id' | 'Name'>, other: DocumentType): boolean {
  return other.Id !== type.Id && other.Name.toLowerCase() === type.Name.toLowerCase();
}
