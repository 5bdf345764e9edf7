import type { AzureClient } from '../../../azure/client';
import { EntityExists } from '../../../azure/errors';
import type { EntityValues, PatternItem } from '../../../design/infer';
import type { documentTypesTable } from '../design';
import { inSeconds, type RetryOptions } from './retry';

type DocumentType = PatternItem<typeof documentTypesTable, 'activeDocumentTypes'>;
type Types = AzureClient<typeof documentTypesTable>;

export type NewDocumentType = EntityValues<typeof documentTypesTable, 'DocumentType'>;

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
 * Adds a type unless an active one has its name. No key keeps names apart, so that it is looked again after the write: of
 * two that came together both see the other, and the one of the greater id goes.
 */
export async function createDocumentType(
  client: Pick<Types, 'activeDocumentTypes' | 'addDocumentType' | 'removeDocumentType'>,
  type: NewDocumentType,
): Promise<void> {
  const namesakes = async () =>
    type.IsActive ? (await documentTypes(client)).filter((other) => isNamesake(type, other)) : [];
  const before = await namesakes();
  if (before.length > 0) throw taken(type);
  await client.addDocumentType(type);
  const since = await namesakes();
  if (since.some(({ Id }) => Id < type.Id)) {
    await client.removeDocumentType({ Id: type.Id });
    throw taken(type);
  }
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

function taken({ Name }: NewDocumentType): NameTaken {
  return new NameTaken(`'${Name}' is the name of another active document type; give another, or deactivate that one`);
}
