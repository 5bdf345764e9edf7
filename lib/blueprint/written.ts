import type { Assignment, PatternDesign, PutPattern, UpdatePattern, Write } from '../design/pattern';
import type { EntityDesign } from '../design/table';
import { overlaps, type Part, template } from '../design/template';
import { hasSteps, isRead } from './accesses';

/** The attributes of an entity that the library writes. */
export interface WrittenAttributes {
  readonly version?: string | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly computed: readonly ComputedAttribute[];
}

/** An attribute that the library computes from other attributes. */
export interface ComputedAttribute {
  readonly name: string;
  /** A single template, or several templates whose rendered strings are sorted. */
  readonly texts: readonly string[];
  /** The separator between the sorted strings. @default - the attribute has a single template */
  readonly separator?: string | undefined;
  readonly parts: readonly Part[];
  /** The parameter that represents the attribute's value before a write. */
  readonly operand: string;
}

/** Returns the attributes that the library writes in an entity; undefined for most entities. */
export function writtenBy(
  { version, timestamps, computed }: EntityDesign,
  separator: string,
): WrittenAttributes | undefined {
  if (version === undefined && timestamps === undefined && computed === undefined) return undefined;
  const { created, updated } = timestamps ?? {};
  return {
    ...{ version, created, updated },
    computed: Object.entries(computed ?? {}).map(([name, made]) => {
      const isOne = typeof made === 'string';
      const texts = isOne ? [made] : made.sorted;
      const parts = texts.flatMap((text) => template(text).parts);
      const operand = `<${formerStampOf(name)}?>`;
      return { name, texts, parts, operand, separator: isOne ? undefined : (made.separator ?? separator) };
    }),
  };
}

/** Returns the names of the attributes that the library writes. */
export function writtenNames({ version, created, updated, computed }: WrittenAttributes): readonly string[] {
  return [version, created, updated, ...computed.map(({ name }) => name)].filter((name) => name !== undefined);
}

/**
 * Returns the name of the parameter for a value that the library supplies. No caller's parameter has a name of this
 * form.
 */
export function stampOf(attribute: string): string {
  return `$${attribute}`;
}

/** Returns the name of the parameter for the value that a computed attribute has before a write. */
export function formerStampOf(attribute: string): string {
  return `$$${attribute}`;
}

/** Whether an operand is a value that the library supplies. */
export function isStamp(operand: unknown): boolean {
  return typeof operand === 'string' && operand.startsWith('<$');
}

/** What the library adds to a step: the computed attributes of its entity. */
export interface Completed {
  readonly computed?: readonly ComputedAttribute[];
}

/** Maps each completed step to the original step in the design, which does not have the library's additions. */
const said = new WeakMap<Write, Write>();

/** Returns the step as the design defines it, without the library's additions. */
export function saidIn<W extends Write>(step: W): W {
  return (said.get(step) as W | undefined) ?? step;
}

/**
 * Returns a write with everything that the library adds, as if the design contained these additions. A value that is
 * known only when the pattern is called becomes a parameter.
 * @param part the name of the transaction step, under which the caller passes the version that was read
 */
export function withWritten(table: WrittenTable, step: Write, part?: string): Write {
  const entity = table.entities.find(({ name }) => name === step.entity);
  const written = entity?.design && writtenBy(entity.design, table.separator);
  if (written === undefined) return step;
  const whole =
    step.op === 'put'
      ? putOf(step, written)
      : step.op === 'update'
        ? updateOf(step as UpdateStep, written, part)
        : step.op === 'delete' && written.computed.length > 0
          ? { ...step, computed: written.computed }
          : step;
  if (whole !== step) said.set(whole, step);
  return whole;
}

/**
 * Returns the attributes that determine the value of an attribute: its sources if the attribute is computed, or else
 * the attribute itself.
 */
export function sourcesOf({ computed }: EntityDesign, attribute: string): readonly string[] {
  const one = computed && writtenBy({ computed } as EntityDesign, '')?.computed.find(({ name }) => name === attribute);
  return one === undefined ? [attribute] : [...new Set(one.parts.map(({ name }) => name))];
}

/** Returns a pattern with the library's additions to its writes, or the pattern itself if there are none. */
export function completed(table: WrittenTable, pattern: PatternDesign): PatternDesign {
  if (isRead(pattern) || pattern.op === 'release') return pattern;
  if (!hasSteps(pattern)) return withWritten(table, pattern) as PatternDesign;
  const steps = Object.entries(pattern.steps).map(([part, step]) => [
    part,
    step.op === 'release' ? step : withWritten(table, step as Write, part),
  ]);
  return { ...pattern, steps: Object.fromEntries(steps) };
}

/** The facts about a table that are needed to complete a write. */
export interface WrittenTable {
  readonly separator: string;
  readonly entities: readonly { readonly name: string; readonly design?: EntityDesign }[];
}

type UpdateStep = UpdatePattern & { readonly each?: string };

function putOf<P extends Pick<PutPattern, 'item'>>(step: P, written: WrittenAttributes): P {
  if (step.item === undefined) return step;
  const stamps = writtenNames(written).map((name) => [name, `<${stampOf(name)}?>`]);
  return { ...step, item: { ...step.item, ...Object.fromEntries(stamps) } };
}

function updateOf(
  step: UpdateStep,
  { version, created, updated, computed }: WrittenAttributes,
  part?: string,
): UpdateStep & Completed {
  const { set, add, remove, condition = {}, upsert, each = part } = step;
  const touched = computed.filter((one) => upsert || touchesParts(step, one, updated));
  const gone = touched.filter(({ parts }) => parts.some(({ name }) => remove?.some((path) => overlaps(path, name))));
  const stamps: Record<string, Assignment> = {};
  for (const one of touched) if (!gone.includes(one)) stamps[one.name] = `<${stampOf(one.name)}?>`;
  if (updated !== undefined) stamps[updated] = `<${stampOf(updated)}>`;
  if (created !== undefined && upsert) stamps[created] = { ifMissing: `<${stampOf(created)}>` };
  const pin = version === undefined || Object.hasOwn(condition, version) ? {} : { [version]: pinOf(version, each) };
  return {
    ...step,
    computed,
    ...(Object.keys(stamps).length > 0 && { set: { ...set, ...stamps } }),
    ...(version !== undefined && { add: { ...add, [version]: 1 }, condition: { ...condition, ...pin } }),
    ...(gone.length > 0 && { remove: [...(remove ?? []), ...gone.map(({ name }) => name)] }),
  };
}

/**
 * Returns the parameter for the version that was read. In a transaction step, the parameter is nested under the name of
 * the step or of the step's list.
 */
function pinOf(version: string, holder: string | undefined): string {
  return `<${holder === undefined ? '' : `${holder}.`}${version}?>`;
}

/**
 * Whether an update changes an attribute that a computed attribute is derived from. `updated` names the attribute that
 * the library itself changes in every update.
 */
export function touchesParts(
  step: UpdatePattern,
  { parts }: Pick<ComputedAttribute, 'parts'>,
  updated?: string,
): boolean {
  return [...pathsOf(step), updated].some(
    (path) => path !== undefined && parts.some(({ name }) => overlaps(path, name)),
  );
}

export function pathsOf({ set = {}, add = {}, subtract = {}, remove = [] }: UpdatePattern): readonly string[] {
  return [...Object.keys({ ...set, ...add, ...subtract }), ...remove];
}
