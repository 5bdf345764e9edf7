import type {
  FindPattern,
  PatternDesign,
  ReadPattern,
  ReleasePattern,
  ReleaseStep,
  UpdatePattern,
  Write,
} from '../design/pattern';
import type { SystemDesign } from '../design/system';
import { lonePart, type Part, stepsOf, type Template, template } from '../design/template';
import { hasSteps } from './accesses';
import { type AttributeFacts, attributeAt } from './attributes/facts';
import { listForm } from './attributes/lists';
import { samplesOf } from './attributes/samples';
import { schemaAt } from './attributes/schema';
import { type EntityOutline, entitiesNamed, outline, type PatternBlueprint, type TableOutline } from './outline';
import { shareIn, whole } from './shares';
import { writtenBy, writtenNames } from './written';

/** A value that the caller of a pattern passes. */
export interface Parameter {
  readonly name: string;
  readonly kind: AttributeFacts['kind'];
  /** Whether the caller may omit the value. */
  readonly optional: boolean;
  /** All allowed values, if the schema lists them. */
  readonly values?: readonly (string | number)[];
  /** The format of a string parameter: `datetime`, `email`, … */
  readonly format?: string;
  /** Whether the parameter is a whole number. */
  readonly integer?: boolean;
  /** The bounds of a number, or of the length of a string. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** An example value that the schema accepts, if one was found. */
  readonly sample?: unknown;
}

/** Returns the parameters of a pattern, without duplicates, in the order in which they first occur in the design. */
export function parametersOf(table: TableOutline, { design }: PatternBlueprint): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  const add = (parameter: Parameter) => {
    const before = found.get(parameter.name);
    if (before === undefined || (before.optional && !parameter.optional)) found.set(parameter.name, parameter);
  };
  for (const [name, step] of stepsIn(design)) for (const parameter of ofStep(table, name, step, found)) add(parameter);
  return [...found.values()];
}

/** Returns the parameters of a system's pattern across all tables, without duplicates. */
export function parametersAcross(system: SystemDesign, name: string): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const design of Object.values(whole(system).tables)) {
    const table = outline(design);
    const share = table.patterns.find((pattern) => pattern.name === name && shareIn(pattern.design));
    for (const parameter of share === undefined ? [] : parametersOf(table, share)) {
      const before = found.get(parameter.name);
      // A step can take values from a whole item that the caller passes for a put in another table. The whole item's
      // sample therefore takes precedence.
      if (before?.sample === undefined || parameter.sample !== undefined) found.set(parameter.name, parameter);
    }
  }
  return [...found.values()];
}

/**
 * Returns the names of the parameters that a caller must pass for values, filters and conditions. The names of the
 * parameters in keys come from `accesses`.
 */
export function valueNames(design: PatternDesign): readonly string[] {
  const steps = stepsIn(design);
  const whole = steps.flatMap(([name, step]) => (name !== undefined && isWhole(step) ? [name] : []));
  const names = steps.flatMap(([, step]) => {
    if (isWhole(step)) return [];
    const parts = textsIn(step).flatMap(({ text, attribute }) => (attribute === undefined ? [] : template(text).parts));
    const heads = parts.flatMap(({ path: [head = '', ...rest], optional }) =>
      optional || (rest.length > 0 && whole.includes(head)) ? [] : [head],
    );
    return [...positionsIn(step), ...heads];
  });
  return [...new Set(names)];
}

type Step = ReadPattern | Write | ReleasePattern | ReleaseStep;

function stepsIn(design: PatternDesign): readonly (readonly [string | undefined, Step])[] {
  if (!hasSteps(design)) return [[undefined, design]];
  // Whole items come first, because a value that another step takes from a whole item is not a parameter.
  const steps = Object.entries(design.steps) as [string, Write][];
  return [...steps.filter(([, step]) => isWhole(step)), ...steps.filter(([, step]) => !isWhole(step))];
}

/** Whether the caller passes the whole item. */
export function isWhole(step: Step): boolean {
  return step.op === 'put' && step.item === undefined;
}

function* ofStep(
  table: TableOutline,
  name: string | undefined,
  step: Step,
  known: ReadonlyMap<string, Parameter>,
): Iterable<Parameter> {
  const entities = entitiesNamed(table, 'entity' in step ? [step.entity] : step.returns);
  const each = 'each' in step ? step.each : undefined;
  const isOptional = 'optional' in step && step.optional === true;
  if (isWhole(step)) {
    const [entity] = entities;
    if (entity === undefined) return;
    if (each !== undefined)
      yield { name: each, kind: 'list', optional: false, ...sampleOf([wholeSample(table, entity)]) };
    else if (name === undefined) for (const attribute of givenIn(table, entity)) yield ofAttribute(entity, attribute);
    else yield { name, kind: 'map', optional: isOptional, ...sampleOf(wholeSample(table, entity)) };
    return;
  }
  for (const name of positionsIn(step)) if (name !== each) yield { name, kind: 'number', optional: false };
  const texts = step.op === 'find' ? textsOfUnique(entities, step) : textsIn(step);
  for (const { text, attribute, isElement } of texts) {
    const read = template(text);
    for (const part of read.parts) {
      const [head = ''] = part.path;
      if (known.has(head) && part.path.length > 1) continue;
      if (head === each) yield { name: head, kind: 'list', optional: part.optional };
      else if (part.path.length > 1) yield { name: head, kind: 'map', optional: part.optional };
      else {
        const facts = factsOf(entities, [...pathOf(read, attribute), head], isElement) ?? factsOfFormat(part);
        yield { name: head, ...facts, optional: part.optional };
      }
    }
  }
}

/**
 * If a string consists of a single parameter, the parameter has the type of the attribute that it is assigned to or
 * compared with, even if their names differ.
 */
function pathOf(read: Template, attribute: string | undefined): readonly string[] {
  return attribute !== undefined && lonePart(read) !== undefined ? [attribute] : [];
}

function ofAttribute(entity: EntityOutline, name: string): Parameter {
  const { optional = true } = attributeAt(entity.schema, [name]) ?? {};
  return { name, ...(factsOf([entity], [name]) ?? { kind: 'string' }), optional };
}

type Facts = Omit<Parameter, 'name' | 'optional'>;

/**
 * Returns the facts about a parameter without a matching attribute. Only numbers are padded, so a padded parameter is a
 * number.
 */
function factsOfFormat({ format }: Part): Facts {
  const isPadded = typeof format === 'number' || format?.startsWith('down:');
  return isPadded ? { kind: 'number', integer: true } : { kind: 'string' };
}

/**
 * Returns the facts about the first of the given attributes that any entity has. With `isElement`, returns the facts
 * about the elements of this attribute instead.
 */
function factsOf(entities: readonly EntityOutline[], names: readonly string[], isElement = false): Facts | undefined {
  for (const name of names) {
    for (const { schema } of entities) {
      const path = stepsOf(name);
      const whole = schemaAt(schema, path);
      const element = isElement && whole ? listForm(whole, 'set')?.element : undefined;
      const own = element ?? whole;
      const facts = element ? attributeAt(element, []) : attributeAt(schema, path);
      if (facts === undefined) continue;
      const { kind, values, format, integer, minimum, maximum } = facts;
      return {
        kind,
        ...(values === undefined ? {} : { values }),
        ...(format === undefined ? {} : { format }),
        ...(integer === undefined ? {} : { integer }),
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...(own ? sampleOf(samplesOf(own)[0]?.given) : {}),
      };
    }
  }
  return undefined;
}

/** Returns the attributes that a caller passes: all attributes except those that the library writes. */
function givenIn({ separator }: TableOutline, { design, attributes }: EntityOutline): readonly string[] {
  const written = writtenBy(design, separator);
  return written === undefined ? attributes : attributes.filter((name) => !writtenNames(written).includes(name));
}

function sampleOf(sample: unknown): Pick<Parameter, 'sample'> {
  return sample === undefined ? {} : { sample };
}

function wholeSample(table: TableOutline, entity: EntityOutline): object {
  const samples = givenIn(table, entity).map((name) => [name, ofAttribute(entity, name).sample] as const);
  return Object.fromEntries(samples.filter(([, sample]) => sample !== undefined));
}

/**
 * A string that can contain parameters, and the attribute that the step sets to it or compares with it. With
 * `isElement`, the string is only one element of the attribute's value.
 */
interface Text {
  readonly text: string;
  readonly attribute?: string;
  readonly isElement?: boolean;
}

/** Returns the strings in the key of a unique value. */
function textsOfUnique(entities: readonly EntityOutline[], { unique }: FindPattern): readonly Text[] {
  return entities.flatMap(({ design }) => stringsIn(design.unique?.[unique]?.keys).map((text) => ({ text })));
}

/** Lists every string in a step that can contain parameters, with the attribute to which the string belongs. */
function textsIn(step: Step): readonly Text[] {
  const fields = step as unknown as Readonly<Record<string, unknown>>;
  // In a release, `where` contains attributes instead of keys.
  const isRelease = step.op === 'release';
  const keyed = (isRelease ? [] : ['where', 'keys']).flatMap((field) =>
    stringsIn(fields[field]).map((text) => ({ text })),
  );
  const valued = ['item', 'set', 'add', 'subtract', 'filter', 'condition', ...(isRelease ? ['where'] : [])];
  const about = valued.flatMap((field) =>
    Object.entries((fields[field] ?? {}) as object).flatMap(([attribute, value]) =>
      stringsIn(value).map((text) => ({
        text,
        attribute,
        isElement: /^(add|subtract)$/.test(field) && Array.isArray(value),
      })),
    ),
  );
  return [...keyed, ...about];
}

/** Returns the names of the parameters used as list positions in the paths that a step changes or tests. */
function positionsIn(step: Step): readonly string[] {
  const { set, add, subtract, condition, remove } = step as Partial<UpdatePattern>;
  const paths = [set, add, subtract, condition].flatMap((field) => Object.keys(field ?? {}));
  return [...paths, ...(remove ?? [])].flatMap((path) =>
    Array.from(path.matchAll(/\[<([^<>.]*)[^<>]*>\]/g), ([, name = '']) => name),
  );
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  // `{ attribute: … }` refers to another attribute of the item, not to a parameter.
  return Object.entries(value).flatMap(([name, member]) => (name === 'attribute' ? [] : stringsIn(member)));
}
