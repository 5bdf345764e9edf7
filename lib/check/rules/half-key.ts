import { type EntityBlueprint, entityNamed, keyOf, type TableBlueprint } from '../../blueprint/table';
import { type IndexKey, isWithin, overlaps, settle, toldBy } from '../../blueprint/updates';
import type { UpdatePattern } from '../../design/pattern';
import type { Hole } from '../../design/template';
import type { Fault, TableRule } from '../finding';
import { type About, atAccess } from '../places';
import { stepOf } from '../step';

const causes = {
  'rest-unknown': 'an update changes a part of an index key and does not know the other parts',
  'new-to-index': 'an update may bring an item into an index and does not know its whole key',
  copied: 'an update sets a part of an index key to something that only the stored item knows',
} as const;

type Cause = keyof typeof causes;

export const halfKey: TableRule<'half-key', Cause> = {
  id: 'half-key',
  severity: 'error',
  why: 'An index key is one text: who changes a part of it has to know the rest, or the item is found in the wrong place.',
  causes,
  *check({ plan, accesses }) {
    if (plan.indexes.length === 0) return;
    for (const access of accesses) {
      if (access.action !== 'update') continue;
      const step = stepOf(access) as UpdatePattern;
      const entity = entityNamed(plan, access.entities[0] as string);
      const found = entity && inUpdate(plan, entity, step);
      if (found === undefined) continue;
      const { field, attribute, about, fault } = found;
      yield { ...atAccess(access, field, attribute, about), ...fault };
    }
  },
};

interface Half {
  readonly field: string;
  readonly attribute?: string;
  readonly about: About;
  readonly fault: Fault<Cause>;
}

function inUpdate(plan: TableBlueprint, entity: EntityBlueprint, step: UpdatePattern): Half | undefined {
  const { set = {}, add = {}, remove = [], upsert = false, where = {} } = step;
  const primary = keyOf(plan.key).flatMap(({ name }) => {
    const source = entity.keys.get(name);
    return source === undefined ? [] : [[name, source.template] as const];
  });
  const touched = [...Object.keys(set), ...Object.keys(add), ...remove];
  const touches = ({ holes }: { readonly holes: readonly Hole[] }) =>
    holes.some((hole) => touched.some((path) => overlaps(path, hole.name)));
  // That the primary key cannot change is a fault of its own.
  if (primary.some(([, template]) => touches(template))) return undefined;
  const isCopy = (path: string) => typeof set[path] === 'object' && set[path] !== null;
  const given = Object.keys(set).filter((path) => !isCopy(path));
  const isIn = (paths: readonly string[]) => (hole: Hole) => paths.some((path) => isWithin(hole.name, path));
  const told = toldBy(primary, where);
  // As if all that can be given were: what is missing even then is always missing.
  const change = {
    touched,
    isKnown: (hole: Hole) => told.has(hole.name) || isIn(given)(hole),
    isGone: isIn(remove),
  };
  const { half } = settle(indexKeys(plan, entity), change, upsert);
  if (half === undefined) return undefined;
  const { key, missing } = half;
  const names = [...new Set(missing.map(({ name }) => name))];
  const first = touched.find((path) => concerns(plan, entity, key, path));
  const isRemoved = first === undefined || remove.includes(first);
  const isPart = touches(key.template);
  const changes = isPart
    ? `it changes part of ${key.name}`
    : `it changes the key of an index that a ${entity.name} may be new to, with ${key.name}`;
  const isThere = names.some((name) => touched.includes(name));
  return {
    field: isRemoved ? 'remove' : Object.hasOwn(set, first) ? 'set' : 'add',
    ...(isRemoved ? {} : { attribute: first }),
    about: { attributes: names, entities: [entity.name] },
    fault: {
      cause: isThere ? 'copied' : isPart ? 'rest-unknown' : 'new-to-index',
      message: `${changes} ('${key.template.text}'), and does not know ${names.map((name) => `<${name}>`).join(', ')}, so that it is refused`,
      fix: isThere
        ? `set ${names.join(', ')} to a value that is given: '<${names[0]}>'`
        : `add ${names.map((name) => `${name.includes('.') ? `'${name}'` : name}: '<${name}>'`).join(', ')} to set`,
    },
  };
}

/** The keys of the indexes that an entity can be in; those of the table are not an update's to write. */
function indexKeys({ key, indexes }: TableBlueprint, { keys }: EntityBlueprint): readonly (readonly IndexKey[])[] {
  const primary = keyOf(key).map(({ name }) => name);
  return indexes
    .filter((index) => keyOf(index).every(({ name }) => keys.has(name)))
    .map((index) =>
      keyOf(index).flatMap(({ name }): readonly IndexKey[] => {
        const source = keys.get(name);
        return source === undefined || primary.includes(name) ? [] : [{ ...source, name, sparse: source.optional }];
      }),
    );
}

/** Whether a change is one of the key, or of the other key of the same index. */
function concerns({ indexes }: TableBlueprint, { keys }: EntityBlueprint, key: IndexKey, path: string): boolean {
  return indexes
    .filter((index) => keyOf(index).some(({ name }) => name === key.name))
    .some((index) =>
      keyOf(index).some(({ name }) => keys.get(name)?.template.holes.some((hole) => overlaps(path, hole.name))),
    );
}
