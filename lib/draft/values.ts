import { hasSteps } from '../blueprint/accesses';
import { memberOf, readableValue } from '../blueprint/attributes/readable';
import type { Schema } from '../blueprint/attributes/schema';
import { entityNamed, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { type Parameter, parametersOf } from '../blueprint/parameters';
import type { Write } from '../design/pattern';
import { exampleOf } from '../explore/example';
import { Items, type Stored } from '../explore/items';
import { drawnItem, keyTextOf } from './items';

/**
 * The number that generated values contain when a write adds an item or sets a value; no other item has this number.
 */
const NEW = 9;

/** Values to call a pattern with; each is new or taken from an existing item. */
export function* valuesFor(
  table: TableOutline,
  pattern: PatternBlueprint,
  stored: readonly Stored[],
  parameters: readonly Parameter[] = parametersOf(table, pattern),
): Iterable<Readonly<Record<string, unknown>>> {
  const { accesses, design } = pattern;
  // A find reads the guard first, then the item itself.
  const found = design.op === 'find' ? design.returns : accesses.flatMap(({ entities }) => entities);
  const reached: ReadonlySet<string> = new Set(found);
  const from = stored.filter(({ entity = '' }) => reached.has(entity));
  const used = usesIn(design);
  for (const one of [...from.map((item) => [item]), stored])
    for (const number of [NEW, 1]) {
      const example = exampleOf(parameters, accesses, new Items(table, one), table.separator);
      const item = one.length === 1 ? one[0]?.item : undefined;
      const given = parameters.map(({ name }) => {
        const uses = used.filter((use) => use.parameter === name);
        const held = uses.find(({ kind }) => kind === 'condition')?.attribute;
        const unique = design.op === 'find' ? item?.[name] : undefined;
        const value =
          unique ??
          (held && item?.[held]) ??
          listFor(table, design, name, one[0]?.item, from) ??
          newValue(table, design, name, number, uses) ??
          example[name];
        return [name, value] as const;
      });
      yield Object.fromEntries(given.filter(([, value]) => value !== undefined));
    }
}

/**
 * The list that a pattern repeats a step or a read for: new items for a put, otherwise what `where` and `condition` name, of an
 * existing item and of others that differ from it only in that; undefined for a parameter that is not a list.
 */
function listFor(
  table: TableOutline,
  design: PatternBlueprint['design'],
  name: string,
  item: Stored['item'] | undefined,
  others: readonly Stored[],
): readonly unknown[] | undefined {
  const steps = hasSteps(design) ? Object.values<object>(design.steps) : [design];
  const step = (steps as readonly Repeated[]).find(({ each }) => each === name);
  if (step === undefined) return undefined;
  const entity = step.entity === undefined ? undefined : entityNamed(table, step.entity);
  if (step.op === 'put' && step.item === undefined) {
    const made = new Map<string, object>();
    for (const number of [NEW, NEW - 1]) {
      const values = entity && drawnItem(table, entity, number, 'neighbor');
      // The schema may accept too few values for two keys.
      if (entity && values) made.set(keyTextOf(table, entity, values), values);
    }
    return [...made.values()];
  }
  const { where, keys, condition } = step;
  const parts = [...JSON.stringify({ where, keys, condition }).matchAll(/<(\w+)(?:\.(\w+))?[^>]*>/g)];
  const own = parts.flatMap(([, head = '', field = head]) => (head === name ? [field] : []));
  const shared = parts.flatMap(([, head = '']) => (head === name ? [] : [head]));
  const known = [{ item: item ?? {} }, ...others].filter(
    (one) =>
      own.every((field) => one.item[field] !== undefined) && shared.every((part) => one.item[part] === item?.[part]),
  );
  const given = Object.fromEntries(
    Object.entries({ ...step.set, ...step.add, ...step.subtract }).flatMap(([attribute, text]) => {
      const [, field] = new RegExp(`^<${name}\\.(\\w+)>$`).exec(String(text)) ?? [];
      const member = field && entity && memberOf(entity.schema, attribute);
      return member ? [[field, readableValue(member.schema, attribute, NEW)]] : [];
    }),
  );
  const values = known.map((one): unknown =>
    own.includes(name)
      ? one.item[name]
      : { ...given, ...Object.fromEntries(own.map((field) => [field, one.item[field]])) },
  );
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, 2);
}

/** A pattern, or a step of a pattern, that may be repeated for a list. */
interface Repeated {
  readonly op: string;
  readonly each?: string;
  readonly entity?: string;
  readonly item?: object;
  readonly where?: object;
  readonly keys?: object;
  readonly condition?: object;
  readonly set?: object;
  readonly add?: object;
  readonly subtract?: object;
}

/** A place where a pattern uses a parameter unchanged. */
interface Use {
  readonly parameter: string;
  readonly kind: 'key' | 'condition' | 'value';
  readonly attribute: string;
  readonly entity: string;
}

/** The places of parameters in a write. */
function usesIn(design: PatternBlueprint['design']): readonly Use[] {
  const steps = hasSteps(design) ? Object.values(design.steps as Readonly<Record<string, object>>) : [design];
  return steps.flatMap((step) => {
    const {
      entity,
      where = {},
      condition = {},
      set = {},
      item = {},
    } = step as Readonly<Record<string, object | undefined>>;
    const named = { key: where, condition, value: { ...set, ...item } };
    return Object.entries(named).flatMap(([kind, fields]) =>
      Object.entries(fields).flatMap(([attribute, text]) =>
        [...JSON.stringify(text).matchAll(kind === 'key' ? /<(\w+)[^>]*>/g : /^"<(\w+)\??>"$/g)].map(
          ([, parameter = '']) => ({
            ...{ parameter, kind: kind as Use['kind'], attribute, entity: String(entity) },
          }),
        ),
      ),
    );
  });
}

/** A new value for an attribute that a write puts or sets; undefined for attributes that identify the item. */
function newValue(
  table: TableOutline,
  design: PatternBlueprint['design'],
  name: string,
  number: number,
  uses: readonly Use[],
): unknown {
  const drawn = (entity: string) => {
    const found = entityNamed(table, entity);
    return found && drawnItem(table, found, number, 'neighbor');
  };
  const step = hasSteps(design) ? (design.steps as Readonly<Record<string, Write>>)[name] : undefined;
  if (step?.op === 'put' && step.item === undefined) return drawn(step.entity);
  if (design.op === 'put') return drawn(design.entity)?.[name];
  const use = uses.some(({ kind }) => kind === 'key') ? undefined : uses.find(({ kind }) => kind === 'value');
  const member = use && memberOf(entityNamed(table, use.entity)?.schema as Schema, use.attribute);
  return member && readableValue(member.schema, use.attribute, number);
}
