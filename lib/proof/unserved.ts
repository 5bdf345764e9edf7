import type { AzureEngine } from '../azure-tables/engine/azure-tables';
import { isMultiAttribute, outline } from '../blueprint/outline';
import type { SystemDesign } from '../design/system';
import type { Engine } from '../dynamodb/engine/engine';
import { servesMultiAttributeKeys } from '../dynamodb/engine/multi-attribute';

/** The patterns that an engine cannot prove, by name, each with the reason. */
export type Unserved = ReadonlyMap<string, string>;

/** The patterns that an engine does not serve as DynamoDB does. The engine is asked only if a pattern depends on the answer. */
export async function unservedBy(engine: Engine | AzureEngine, systems: readonly SystemDesign[]): Promise<Unserved> {
  const names = systems.flatMap(({ tables }) => Object.values(tables).flatMap(multiAttributePatterns));
  if (names.length === 0 || 'cloud' in engine) return NONE;
  const reason = await reasonAt(engine);
  return reason === undefined ? NONE : new Map(names.map((name) => [name, reason]));
}

const NONE: Unserved = new Map();

function multiAttributePatterns(design: SystemDesign['tables'][string]): readonly string[] {
  return outline(design)
    .patterns.filter(({ accesses }) => accesses.some(({ key }) => key !== undefined && isMultiAttribute(key)))
    .map(({ name }) => name);
}

async function reasonAt(engine: Engine): Promise<string | undefined> {
  const instead = 'prove it with --endpoint on one that does: DynamoDB itself, or DynamoDB Local from 3.3 on';
  try {
    if (await servesMultiAttributeKeys(engine)) return undefined;
  } catch (error) {
    return `could not find out whether ${engine.name} serves index keys of several attributes (${(error as Error).message}); ${instead}`;
  }
  return `${engine.name} does not serve index keys of several attributes; ${instead}`;
}
