import { isMultiAttribute, outline } from '../blueprint/outline';
import type { SystemDesign } from '../design/system';
import type { Database } from '../dynamodb/engine/database';
import { servesMultiAttributeKeys } from '../dynamodb/engine/multi-attribute';
import type { AnyDatabase } from './tables';

/** The reason why each unserved pattern cannot be proved on an engine, keyed by pattern name. */
export type Unserved = ReadonlyMap<string, string>;

/**
 * Returns the patterns that an engine cannot serve as DynamoDB does, each with the reason. Probes the engine only if a
 * pattern could be affected.
 */
export async function unservedBy(database: AnyDatabase, systems: readonly SystemDesign[]): Promise<Unserved> {
  const names = systems.flatMap(({ tables }) => Object.values(tables).flatMap(multiAttributePatterns));
  if (names.length === 0 || database.cloud === 'azure') return NONE;
  const reason = await reasonAt(database);
  return reason === undefined ? NONE : new Map(names.map((name) => [name, reason]));
}

const NONE: Unserved = new Map();

function multiAttributePatterns(design: SystemDesign['tables'][string]): readonly string[] {
  return outline(design)
    .patterns.filter(({ accesses }) => accesses.some(({ key }) => key !== undefined && isMultiAttribute(key)))
    .map(({ name }) => name);
}

async function reasonAt(database: Database): Promise<string | undefined> {
  const instead =
    'pass the --endpoint of an engine that supports them: DynamoDB itself, or DynamoDB Local 3.3 or later';
  try {
    if (await servesMultiAttributeKeys(database)) return undefined;
  } catch (error) {
    return `could not find out whether ${database.name} supports multi-attribute index keys (${(error as Error).message}); ${instead}`;
  }
  return `${database.name} does not support multi-attribute index keys; ${instead}`;
}
