import { hasSteps } from '../blueprint/accesses';
import { memberOf, readableValue } from '../blueprint/attributes/readable';
import type { Schema } from '../blueprint/attributes/schema';
import { entityNamed, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { type Parameter, parametersOf } from '../blueprint/parameters';
import type { Write } from '../design/pattern';
import { exampleOf } from '../explore/example';
import { Items, type Stored } from '../explore/items';
import { drawnItem } from './items';

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
        const value = unique ?? (held && item?.[held]) ?? newValue(table, design, name, number, uses) ?? example[name];
        return [name, value] as const;
      });
      yield Object.fromEntries(given.filter(([, value]) => value !== undefined));
    }
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
        [...JSON.stringify(text).matchAll(kind === 'key' ? /<(\w+)[^>]*>/g : /^"<(\w+)>"$/g)].map(
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
