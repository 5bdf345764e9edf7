import { isObject } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { SynthesizedStack } from '../../dynamodb/template/assembly';
import { tablesIn } from '../../dynamodb/template/tables';
import { candidatesIn, placesOf, showCandidate } from '../../proof/template';
import { signed } from '../canonical';
import { FORM, type Lock, type TableResources } from '../lock/lock';
import { indexResources, keyResources, knownOf } from '../lock/make';
import { EvolutionError } from '../lock/read';

/**
 * What templates say about the tables of a system, by table; a table that no template makes is left out.
 * @param environment which environment's tables to take, where the templates make several
 */
export function resourcesIn(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  environment?: string,
): Readonly<Record<string, TableResources>> {
  const all = stacks.flatMap(candidatesIn);
  const found = Object.keys(system.tables).flatMap((table) => {
    const places = placesOf(system, table, all, { environment });
    if (places.length > 1) {
      const shown = places.map(showCandidate).join(' or ');
      throw new EvolutionError(
        `table '${table}' of system '${system.name}' can be ${shown}; synthesize one of them alone, or name the environment of one (--environment)`,
      );
    }
    return places.map(({ stack, logicalId }) => {
      const template = stacks.find(({ name }) => name === stack)?.template ?? {};
      return [table, resourcesOf(template, logicalId)] as const;
    });
  });
  return Object.fromEntries(found);
}

function resourcesOf(template: SynthesizedStack['template'], id: string): TableResources {
  const table = tablesIn(template).find(({ logicalId }) => logicalId === id);
  const resource = template.Resources?.[id];
  if (table === undefined || resource === undefined)
    throw new EvolutionError(`there is no table '${id}' in the template`);
  const properties: Readonly<Record<string, unknown>> = isObject(resource.Properties) ? resource.Properties : {};
  const stream = isObject(properties.StreamSpecification) ? properties.StreamSpecification.StreamViewType : null;
  return {
    ...(table.name === undefined ? {} : { physicalName: table.name }),
    logicalId: id,
    type: resource.Type,
    key: keyResources(table.key),
    indexes: Object.fromEntries(table.indexes.map((index) => [index.name, indexResources(index)])),
    ...(table.ttl === undefined ? {} : { ttl: table.ttl }),
    replicas: regionsIn(properties.Replicas),
    ...(typeof stream === 'string' || stream === null ? { stream } : {}),
  };
}

/** The regions that the template names; the stack's own is known only when it is deployed. */
function regionsIn(replicas: unknown): readonly string[] {
  const regions = (Array.isArray(replicas) ? replicas : []).map((replica) =>
    isObject(replica) ? replica.Region : undefined,
  );
  return regions.filter((region) => typeof region === 'string').sort();
}

export { knownOf };

/** A lock with resources alone, without items and patterns: it is compared, but never written. */
export function lockOfResources(
  { name: system, cloud }: SystemDesign,
  environment: string,
  resources: Readonly<Record<string, TableResources>>,
): Lock {
  const tables = Object.entries(resources).map(([table, known]) => [table, { resources: known }]);
  return signed({
    lock: FORM,
    system,
    environment,
    cloud,
    tables: Object.fromEntries(tables),
    procedures: {},
  } as const);
}
