import { attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import { testsIn } from '../../blueprint/conditions';
import { lackingIn, storedIn } from '../../blueprint/projected';
import { naming } from '../../blueprint/stored';
import { type EntityBlueprint, entityNamed, type IndexBlueprint, type TableBlueprint } from '../../blueprint/table';
import type { QueryPattern, ScanPattern } from '../../design/pattern';
import { stepsOf } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atAccess } from '../findings/place';
import type { PatternAccess } from '../table-under-check';

const causes = {
  returned: 'a pattern returns items with an attribute that its index does not project',
  selected: 'a pattern selects an attribute that its index does not project',
  filtered: 'a pattern filters by an attribute that its index does not project',
  fetched:
    'a pattern reads attributes that a local index does not project, so DynamoDB fetches every item from the table (a warning)',
} as const;

type Cause = keyof typeof causes;

export const unprojected: TableRule<'unprojected', Cause> = {
  id: 'unprojected',
  severity: 'error',
  why: 'If an index does not project an attribute, a read of the index silently returns items without this attribute.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      const { index: indexName, entities, design: pattern } = access;
      const index = table.indexes.find(({ name }) => name === indexName);
      if ((pattern.op !== 'query' && pattern.op !== 'scan') || index === undefined || index.projection === 'all')
        continue;
      for (const entity of entities.map((name) => entityNamed(table, name))) {
        if (entity === undefined) continue;
        const stored = new Set(storedIn(table, index));
        yield* readInVain(access, pattern, index, entity, table);
        yield* testedInVain(access, pattern, index, entity, stored, table.design.typeAttribute);
      }
    }
  },
};

function* readInVain(
  access: PatternAccess,
  pattern: QueryPattern | ScanPattern,
  index: IndexBlueprint,
  entity: EntityBlueprint,
  table: TableBlueprint,
): Iterable<Found<Cause>> {
  const select = 'select' in pattern ? pattern.select : undefined;
  const own = attributeNames(entity.design.attributes);
  const required = (attribute: string) => attributeAt(entity.design.attributes, [attribute])?.optional === false;
  const { name, local } = index;
  const wanted =
    select === undefined
      ? own.filter((attribute) => local || required(attribute))
      : own.filter((attribute) => select.includes(attribute));
  const attributes = lackingIn(table, index, entity, wanted);
  if (attributes.length === 0) return;
  const missing = attributes.map((attribute) => `'${naming.path([entity], attribute)}'`).join(', ');
  const lost = lackingIn(table, index, entity, own);
  const selectable = own.filter((attribute) => !lost.includes(attribute)).map((attribute) => `'${attribute}'`);
  const field = select === undefined ? 'returns' : 'select';
  const proposed = `[${selectable.join(', ')}]`;
  yield {
    ...atAccess(access, field, undefined, {
      ...{ index: name, entities: [entity.name], attributes },
      ...(pattern.op === 'scan' ? {} : { proposed }),
    }),
    ...(local
      ? ({ severity: 'warning', cause: 'fetched' } as const)
      : { cause: select === undefined ? 'returned' : 'selected' }),
    message: `the pattern reads ${entity.name} from ${name}, which does not project ${missing}${local ? ', so DynamoDB also reads each item from the table, and you pay for both reads' : ''}`,
    fix: `${projecting(index, attributes)}, or ${pattern.op === 'scan' ? 'scan the table itself' : `select only projected attributes: select: ${proposed}`}`,
  };
}

/** Returns the fix: a projection that also contains the given attributes. */
function projecting({ name, projection }: IndexBlueprint, attributes: readonly string[]): string {
  const all = [...(typeof projection === 'string' ? [] : projection), ...attributes];
  return `write projection: [${all.map((attribute) => `'${attribute}'`).join(', ')}] in ${name}`;
}

/** Reports filters on attributes that an index does not store. A filter cannot see values that exist only inside a key. */
function* testedInVain(
  access: PatternAccess,
  { filter = {} }: QueryPattern | ScanPattern,
  index: IndexBlueprint,
  entity: EntityBlueprint,
  stored: ReadonlySet<string>,
  type: string | undefined,
): Iterable<Found<Cause>> {
  const { name } = index;
  const own = new Set([...attributeNames(entity.design.attributes), type]);
  for (const { path: tested, place } of testsIn(filter)) {
    const head = stepsOf(tested)[0] as string;
    const attribute = naming.path([entity], head);
    if (!own.has(head) || stored.has(attribute)) continue;
    yield {
      ...atAccess(access, 'filter', place, { attribute: tested, index: name, entities: [entity.name] }),
      cause: 'filtered',
      message: `${name} does not project '${attribute}', so the filter never sees it in ${entity.name} items`,
      fix: `${projecting(index, [attribute])}, or query the table itself`,
    };
  }
}
