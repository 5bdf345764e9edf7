import { type AttributeFacts, attributeNames } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, type KeySource, keyOf } from '../../blueprint/table';
import type { Found, TableRule } from '../finding';
import { headOf } from '../heads';
import { neighbours } from '../occupants';
import { atKey } from '../places';
import { stepOf } from '../step';
import { canCollide, type TableUnderCheck } from '../subject';

const causes = {
  'two-entities': 'items of two entities can have the same primary key',
  'nothing-apart': 'within a partition, all items of an entity have the same key (a warning)',
  'only-time-apart': 'within a partition, only a time tells two items of an entity apart (a warning)',
  'only-listed-apart':
    'within a partition, only one of a few listed values tells two items of an entity apart (a warning)',
} as const;

type Cause = keyof typeof causes;

export const keyCollision: TableRule<'key-collision', Cause> = {
  id: 'key-collision',
  severity: 'error',
  why: 'Two items with one primary key are one item: the second overwrites the first, or is refused.',
  causes,
  *check(table) {
    const earlier = new Set<EntityBlueprint>();
    for (const entity of table.plan.entities) {
      for (const other of earlier.size === 0 ? [] : entitiesNear(table, entity)) {
        if (earlier.has(other) && canCollide(table, entity, other)) yield twoEntities(table, entity, other);
      }
      earlier.add(entity);
      yield* twoItems(table, entity);
    }
  },
};

function entitiesNear(table: TableUnderCheck, entity: EntityBlueprint): readonly EntityBlueprint[] {
  const { key } = table.plan;
  const sources = keyOf(key).map(({ name }) => entity.keys.get(name));
  if (sources.includes(undefined)) return [];
  const [partition = '', sort = ''] = sources.map((source) => headOf((source as KeySource).template));
  return neighbours(table, key, partition, sort);
}

function twoEntities({ plan }: TableUnderCheck, entity: EntityBlueprint, other: EntityBlueprint): Found<Cause> {
  const show = ({ keys }: EntityBlueprint) =>
    keyOf(plan.key)
      .map(({ name }) => `'${keys.get(name)?.template.text}'`)
      .join(', ');
  const last = (plan.key.sort ?? plan.key.partition).name;
  return {
    ...atKey(entity.keys.get(last) as KeySource, { entities: [other.name] }),
    cause: 'two-entities',
    message: `${entity.name} (${show(entity)}) can have the same primary key as ${other.name} (${show(other)})`,
    fix: `begin ${last} with text of its own, such as '${entity.name.toUpperCase()}${plan.separator}…'`,
  };
}

/** Within its partition, an item is told apart by nothing, or by nothing but a moment or a part of one. */
function* twoItems(table: TableUnderCheck, entity: EntityBlueprint): Iterable<Found<Cause>> {
  const { key } = table.plan;
  const last = entity.keys.get((key.sort ?? key.partition).name);
  const partition = key.sort && entity.keys.get(key.partition.name);
  if (last === undefined || (key.sort !== undefined && partition === undefined)) return;
  // A listed value sorts items into kinds, and does not tell those of a kind apart.
  if (!last.facts.every((facts) => isTime(facts) || facts?.values !== undefined)) return;
  const owners = partition?.template.holes.map(({ path }) => path.at(-1) as string) ?? [];
  if (owners.some((owner) => isOwnId(entity, owner))) return;
  const id = attributeNames(entity.design.attributes).find((attribute) => isOwnId(entity, attribute));
  if (!last.facts.some(isTime) && (id === undefined || !isOneOfMany(table, entity, owners))) return;
  const { holes } = last.template;
  const shown = holes.map(({ name, format }) => `<${name}${format === undefined ? '' : `:${format}`}>`).join(', ');
  const telling = holes.length === 0 ? 'nothing tells' : `only ${shown} tell${holes.length === 1 ? 's' : ''}`;
  // Where every put may overwrite, the second is meant to take the place of the first.
  if (isReplaced(table, entity)) return;
  const withId = `${last.template.text}${table.plan.separator}<${id ?? 'id'}>`;
  yield {
    severity: 'warning',
    ...atKey(last, { proposed: withId }),
    cause: holes.length === 0 ? 'nothing-apart' : last.facts.some(isTime) ? 'only-time-apart' : 'only-listed-apart',
    message: `${telling} two items${partition === undefined ? '' : ' of a partition'} apart: ${holes.length === 0 ? '' : 'of two with the same, '}the second overwrites the first`,
    fix: `${id === undefined ? 'add an attribute id, and ' : ''}${last.natural ? `sort by a key that holds an id too, such as '${withId}'` : `add ${id === undefined ? 'it to the key' : 'an id'}: '${withId}'`}`,
  };
}

function isReplaced({ accesses }: TableUnderCheck, { name }: EntityBlueprint): boolean {
  const puts = accesses.filter(({ step, entities }) => step.op === 'put' && entities[0] === name).map(stepOf);
  return puts.length > 0 && puts.every((step) => step.op === 'put' && step.replace === true);
}

function isTime(facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'datetime';
}

/** Whether several are meant to be in a partition: it is that of something else, and a pattern asks for a stretch of it. */
function isOneOfMany({ accesses }: TableUnderCheck, { name }: EntityBlueprint, owners: readonly string[]): boolean {
  return (
    owners.every((owner) => /id$/i.test(owner)) &&
    accesses.some(
      ({ action, index, range, entities }) =>
        action === 'query' &&
        index === undefined &&
        range.kind !== 'all' &&
        range.kind !== 'equals' &&
        entities.length === 1 &&
        entities[0] === name,
    )
  );
}

function isOwnId({ name }: EntityBlueprint, attribute: string): boolean {
  return ['id', `${name}id`.toLowerCase()].includes(attribute.toLowerCase());
}
