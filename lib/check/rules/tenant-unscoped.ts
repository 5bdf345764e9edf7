import { partitionText } from '../../blueprint/accesses';
import type { IndexBlueprint, KeyBlueprint, KeySource } from '../../blueprint/table';
import { strangerFor, tenantIn, tenantOf } from '../../blueprint/tenant';
import { shortList } from '../../design/show';
import type { Part, Template } from '../../design/template';
import type { Fault, TableRule } from '../findings/finding';
import { atKey, atWhere } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  entity: 'the partition key of an entity does not contain the tenant',
  pattern: 'the partition key that a pattern reads or writes does not contain the tenant',
  'another-id': 'in a partition key, the word for the tenant is followed by a different attribute',
} as const;

type Cause = keyof typeof causes;

export const tenantUnscoped: TableRule<'tenant-unscoped', Cause> = {
  id: 'tenant-unscoped',
  severity: 'warning',
  why: "If a partition key does not contain the tenant, no policy can limit a caller to one tenant's items.",
  causes,
  *check(table) {
    const { system, accesses } = table;
    if (system?.tenant === undefined) return;
    const { tenant } = system;
    const reported = new Set<string>();
    const read = table.indexes.filter(({ name }) => accesses.some(({ index }) => index === name));
    for (const key of [table.key, ...read] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      for (const shared of unscopedIn(table, key, tenant)) {
        const [source] = shared.sources as [KeySource];
        for (const name of shared.entities) reported.add(`${key.name ?? ''} ${name}`);
        const stranger = strangerFor(source.template, tenant);
        const others = shared.entities.slice(1);
        const about = { index: key.name, entities: others.length > 0 ? others : undefined, part: stranger?.name };
        if (stranger !== undefined) {
          yield { ...atKey(source, about), ...anotherId(source.template, stranger, tenant) };
          continue;
        }
        const shown = source.natural ? `the attribute '${source.holds}'` : `'${source.template.text}'`;
        const where = key.name === undefined ? '' : ` in ${key.name}`;
        yield {
          ...atKey(source, about),
          cause: 'entity',
          message: `the partition key of ${shortList(shared.entities, 5)}${where} is ${shown}, which does not contain <${tenant}>, so no policy can limit a caller to one tenant's items`,
          fix: `begin the partition key with <${tenant}>, or acknowledge the finding and explain why other tenants cannot reach these items`,
        };
      }
    }
    for (const access of accesses) {
      const { partition, step, entities, index = '' } = access;
      if (step.op === 'put' || partition === undefined || tenantOf(table, access, tenant) !== undefined) continue;
      // Reports a key without the tenant only once, even if several patterns use it.
      if (entities.some((name) => reported.has(`${index} ${name}`))) continue;
      const strangers = partition.flatMap(({ at }) => {
        const stranger = strangerFor(at, tenant);
        return stranger === undefined ? [] : [{ at, stranger }];
      });
      if (strangers[0] !== undefined) {
        const { at, stranger } = strangers[0];
        yield { ...atWhere(access, undefined, { part: stranger.name }), ...anotherId(at, stranger, tenant) };
        continue;
      }
      yield {
        ...atWhere(access),
        cause: 'pattern',
        message: `the partition key '${partitionText(partition)}' does not contain the tenant`,
        fix: `query a key that begins with <${tenant}>, or acknowledge the finding and explain how the caller's tenant is checked`,
      };
    }
  },
};

interface Unscoped {
  readonly sources: readonly KeySource[];
  readonly entities: string[];
}

/**
 * Returns the table's or the index's partition keys that do not contain the tenant, each with all entities that share
 * it.
 */
function unscopedIn(
  table: TableUnderCheck,
  key: KeyBlueprint & Partial<IndexBlueprint>,
  tenant: string,
): Iterable<Unscoped> {
  const { name: index } = key;
  const read = new Set(table.accesses.flatMap((access) => (access.index === index ? access.entities : [])));
  const found = new Map<string, Unscoped>();
  for (const entity of table.entities) {
    const sources = key.partitionBy.flatMap(({ name }) => entity.keys.get(name) ?? []);
    if (sources.length < key.partitionBy.length || (index !== undefined && !read.has(entity.name))) continue;
    if (sources.some(({ template }) => tenantIn(entity, template, tenant) !== undefined)) continue;
    const texts = JSON.stringify(sources.map(({ template }) => template.text));
    const same = found.get(texts) ?? { sources, entities: [] };
    found.set(texts, same);
    same.entities.push(entity.name);
  }
  return found.values();
}

function anotherId({ text }: Template, { name }: Part, tenant: string): Fault<Cause> {
  return {
    cause: 'another-id',
    message: `'${text}' has <${name}> after the word for the tenant, so no policy can recognize the tenant`,
    fix: `write <${tenant}> instead of <${name}>, or begin the key with a word that describes <${name}>`,
  };
}
