import { attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import {
  type EntityBlueprint,
  entityNamed,
  type IndexBlueprint,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';
import type { QueryPattern } from '../../design/pattern';
import type { Found, Rule } from '../finding';

export const unprojected: Rule = {
  id: 'unprojected',
  severity: 'error',
  why: 'What an index does not project cannot be read through it: it is missing, without an error.',
  *check({ design, plan, accesses }) {
    for (const { path, index: indexName, entities, design: pattern } of accesses) {
      const index = plan.indexes.find(({ name }) => name === indexName);
      if (pattern.op !== 'query' || index === undefined || index.projection === 'all') continue;
      for (const entity of entities.map((name) => entityNamed(plan, name))) {
        if (entity === undefined) continue;
        const stored = new Set(storedIn(plan, index));
        yield* readInVain(path, pattern, index, entity, new Set([...stored, ...readBack(plan, index, entity)]));
        yield* testedInVain(path, pattern, index, entity, stored, design.typeAttribute);
      }
    }
  },
};

function* readInVain(
  path: string,
  { select }: QueryPattern,
  { name }: IndexBlueprint,
  entity: EntityBlueprint,
  there: ReadonlySet<string>,
): Iterable<Found> {
  const own = attributeNames(entity.design.attributes);
  const required = (attribute: string) => attributeAt(entity.design.attributes, [attribute])?.optional === false;
  const wanted = select === undefined ? own.filter(required) : own.filter((attribute) => select.includes(attribute));
  const missing = wanted.filter((attribute) => !there.has(attribute)).join(', ');
  if (missing === '') return;
  const selectable = own.filter((attribute) => there.has(attribute)).map((attribute) => `'${attribute}'`);
  yield {
    path: `${path}.${select === undefined ? 'returns' : 'select'}`,
    message: `${entity.name} is read through ${name}, which does not project ${missing}`,
    fix: `project ${missing} too, or select only what is there: select: [${selectable.join(', ')}]`,
  };
}

/** A filter looks at what is stored: what could be read back from a key is not there for it. */
function* testedInVain(
  path: string,
  { filter = {} }: QueryPattern,
  { name }: IndexBlueprint,
  entity: EntityBlueprint,
  stored: ReadonlySet<string>,
  type: string | undefined,
): Iterable<Found> {
  const own = new Set([...attributeNames(entity.design.attributes), type]);
  for (const tested of Object.keys(filter)) {
    const attribute = tested.split('.')[0] as string;
    if (!own.has(attribute) || stored.has(attribute)) continue;
    yield {
      path: `${path}.filter.${tested}`,
      message: `${name} does not project ${attribute}, so that the filter finds none on any ${entity.name}`,
      fix: `project ${attribute} too, or query the table itself`,
    };
  }
}

/** The attributes that an index holds under their own names. */
function storedIn(plan: TableBlueprint, index: IndexBlueprint): readonly string[] {
  const keys = [...keyOf(plan.key), ...keyOf(index)].map(({ name }) => name);
  return typeof index.projection === 'string' ? keys : [...keys, ...index.projection];
}

/** The attributes of an entity that can be read back from the keys in an index. */
function readBack(plan: TableBlueprint, index: IndexBlueprint, { keys }: EntityBlueprint): readonly string[] {
  const holes = [...keyOf(plan.key), ...keyOf(index)].flatMap(({ name }) => keys.get(name)?.template.holes ?? []);
  return holes.filter(({ format }) => typeof format !== 'string').map(({ name }) => name);
}
