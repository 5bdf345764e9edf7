import { hasSteps } from '../blueprint/accesses';
import { memberOf, readableValue } from '../blueprint/attributes/readable';
import { type EntityOutline, entityNamed, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { type Parameter, parametersOf } from '../blueprint/parameters';
import { writtenBy, writtenNames } from '../blueprint/written';
import type { Write } from '../design/pattern';
import { exampleOf } from '../explore/example';
import { Items, type Stored } from '../explore/items';
import { drawnItem, keyTextOf } from './items';
import { ELEMENTS, elementOf, foundFor, isOf, listOf } from './lists';

/** The number in the values that are generated for a write. No stored item has this number. */
const NEW = 9;

/** The distance between the numbers of new list elements, chosen to avoid the numbers of stored items. */
const APART = 20;

/** Generates candidate values for calls to a pattern. Each value is either new or taken from an existing item. */
export function* valuesFor(
  table: TableOutline,
  pattern: PatternBlueprint,
  stored: readonly Stored[],
  parameters: readonly Parameter[] = parametersOf(table, pattern),
): Iterable<Readonly<Record<string, unknown>>> {
  const { accesses, design } = pattern;
  // The first access of a `find` reads only the guard, so the entities are taken from `returns`.
  const found = design.op === 'find' ? design.returns : accesses.flatMap(({ entities }) => entities);
  const reached: ReadonlySet<string> = new Set(found);
  const from = stored.filter(({ entity = '' }) => reached.has(entity));
  const used = usesIn(design);
  for (const one of [...from.map((item) => [item]), stored])
    for (const number of [NEW, 1]) {
      const example = exampleOf(parameters, accesses, new Items(table, one), table.separator);
      const item = one.length === 1 ? one[0]?.item : undefined;
      const given = parameters.map(({ name }) => {
        if (accesses.some((access) => listOf(access) === name))
          return [name, listFor(table, pattern, name, one.length === 1 ? nearby(one, stored) : stored, number, used)];
        const uses = used.filter((use) => use.parameter === name);
        const held = uses.find(({ kind }) => kind === 'condition')?.attribute;
        const unique = design.op === 'find' ? item?.[name] : undefined;
        const value =
          unique ?? (held && item?.[held]) ?? newValue(table, design, name, number, uses, item) ?? example[name];
        return [name, value] as const;
      });
      yield Object.fromEntries(given.filter(([, value]) => value !== undefined));
    }
}

/** Moves one item to the front, so that a list takes its values from that item first. */
function nearby([one]: readonly Stored[], stored: readonly Stored[]): readonly Stored[] {
  return [one as Stored, ...stored.filter((other) => other !== one)];
}

/**
 * Generates the elements of a list that a pattern iterates over. They refer to stored items, contain new values, or
 * both.
 */
function listFor(
  table: TableOutline,
  { accesses }: PatternBlueprint,
  list: string,
  stored: readonly Stored[],
  number: number,
  uses: readonly Use[],
): readonly unknown[] {
  const found = foundFor(table, accesses, list, stored);
  const isKnown = accesses.some((access) => listOf(access) === list && access.action !== 'put');
  const put = accesses.find(
    ({ step, ...access }) => step.op === 'put' && step.item === undefined && listOf({ ...access, step }) === list,
  );
  const entity = put && entityNamed(table, (put.step as Write).entity);
  const elements = isKnown ? found : Array.from({ length: ELEMENTS }, () => undefined);
  const all = elements.map((known, i) => {
    const values: Record<string, unknown> = { ...known?.parts };
    for (const { parameter, kind, attribute, entity: of } of uses) {
      if (!isOf(list, parameter) || Object.hasOwn(values, parameter)) continue;
      const held = kind === 'condition' ? known?.item[attribute] : undefined;
      values[parameter] = held ?? settable(table, of, attribute, number + i * APART);
    }
    const element = elementOf(list, values);
    const whole = entity && givenItem(table, entity, number + i * APART);
    return whole === undefined ? element : { ...whole, ...(element as object) };
  });
  // The schema might accept too few values to give every element a different key, so elements with duplicate keys are
  // removed.
  const keys =
    entity === undefined
      ? []
      : all.map((values, i) =>
          keyTextOf(table, entity, {
            ...drawnItem(table, entity, number + i * APART, 'neighbor'),
            ...(values as object),
          }),
        );
  return entity === undefined ? all : all.filter((_, i) => keys.indexOf(keys[i] as string) === i);
}

/** A place where a pattern uses a parameter. */
interface Use {
  readonly parameter: string;
  readonly kind: 'key' | 'condition' | 'value';
  readonly attribute: string;
  readonly entity: string;
}

/** Finds where a write uses its parameters. */
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
        [...JSON.stringify(text).matchAll(kind === 'key' ? /<([\w.]+)[^>]*>/g : /^"<([\w.]+)\??>"$/g)].map(
          ([, parameter = '']) => ({
            ...{ parameter, kind: kind as Use['kind'], attribute, entity: String(entity) },
          }),
        ),
      ),
    );
  });
}

/** A new value for a parameter that a write puts or sets; undefined for a parameter that identifies the item. */
function newValue(
  table: TableOutline,
  design: PatternBlueprint['design'],
  name: string,
  number: number,
  uses: readonly Use[],
  item: Stored['item'] = {},
): unknown {
  const drawn = (entity: string) => {
    const found = entityNamed(table, entity);
    return found && givenItem(table, found, number);
  };
  const step = hasSteps(design) ? (design.steps as Readonly<Record<string, Write>>)[name] : undefined;
  if (step?.op === 'put' && step.item === undefined) {
    // Another step of the transaction finds an existing item by these attributes.
    const linked = [...JSON.stringify(design).matchAll(new RegExp(`<${name}\\.(\\w+)`, 'g'))].flatMap(
      ([, field = '']) => (item[field] === undefined ? [] : [[field, item[field]]]),
    );
    return { ...drawn(step.entity), ...Object.fromEntries(linked) };
  }
  if (design.op === 'put') return drawn(design.entity)?.[name];
  const use = uses.some(({ kind }) => kind === 'key') ? undefined : uses.find(({ kind }) => kind === 'value');
  return use && settable(table, use.entity, use.attribute, number);
}

/** A new value for an attribute. */
function settable(table: TableOutline, entity: string, attribute: string, number: number): unknown {
  // A read has no `entity`, and therefore no schema from which to generate a value.
  const found = entityNamed(table, entity);
  const member = found && memberOf(found.schema, attribute);
  return member && readableValue(member.schema, attribute, number);
}

/** A new item as a caller passes it, without the attributes that the library writes itself. */
function givenItem(table: TableOutline, entity: EntityOutline, number: number): Readonly<Record<string, unknown>> {
  const written = writtenBy(entity.design, table.separator);
  const names = written === undefined ? [] : writtenNames(written);
  const drawn = drawnItem(table, entity, number, 'neighbor') ?? {};
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => !names.includes(name)));
}
