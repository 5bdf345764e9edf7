import { partsOf, shownPart, textWith } from '../../blueprint/template-parts';
import type {
  GetPattern,
  KeyCondition,
  KeyTemplates,
  PatternDesign,
  QueryPattern,
  TransactionStep,
} from '../../design/pattern';
import { type Part, template } from '../../design/template';
import { withNames } from '../diff/texts';
import type { Querying, Way, Where } from './transition';

/**
 * Returns a pattern of the new design, rewritten to use the old keys and indexes wherever callers pass the values for
 * them.
 */
export function oldPattern(way: Way, pattern: PatternDesign, was: PatternDesign | undefined): PatternDesign {
  switch (pattern.op) {
    case 'get':
    case 'query':
      return oldRead(way, pattern, was);
    case 'scan': {
      const { index: _, ...rest } = pattern;
      return was?.op === 'scan' && was.index !== undefined ? { ...rest, index: was.index } : rest;
    }
    case 'batchGet':
    case 'transactGet': {
      const keys = Object.entries(pattern.keys).map(([name, where]) => [name, oldWhere(way, where, pattern.returns)]);
      return { ...pattern, keys: Object.fromEntries(keys) };
    }
    case 'transaction':
    case 'batchWrite': {
      const steps = Object.entries(pattern.steps).map(([name, step]) => [name, oldStep(way, step as TransactionStep)]);
      return { ...pattern, steps: Object.fromEntries(steps) };
    }
    default:
      return oldStep(way, pattern as TransactionStep) as PatternDesign;
  }
}

function oldRead(way: Way, pattern: GetPattern | QueryPattern, was: PatternDesign | undefined): PatternDesign {
  const renamed = Object.assign({}, ...way.pairs.map((pair) => pair.renamed));
  // A parameter may still have its attribute's old name.
  const conditions = was?.op === pattern.op ? [renamedWhere(was.where, renamed), was.where as Where] : [];
  const old = conditions.find((where) => isGiven(where, pattern.where));
  if (old === undefined) {
    return { ...pattern, where: oldWhere(way, pattern.where, pattern.returns) } as PatternDesign;
  }
  const { index: _, ...rest } = pattern as PatternDesign & Querying;
  const { index } = was as Querying;
  return { ...rest, where: old, ...(index === undefined ? {} : { index }) } as PatternDesign;
}

function oldStep(way: Way, step: TransactionStep): TransactionStep {
  if (!('where' in step)) return step;
  return { ...step, where: oldWhere(way, step.where, [step.entity]) as KeyTemplates };
}

/** Rewrites a key condition to use the old keys: it replaces the entity's new key templates with its old ones. */
function oldWhere({ before, after, pairs }: Way, where: Where, entities: readonly string[]): Where {
  const role: Readonly<Record<string, string | undefined>> = {
    [after.key.partition]: before.key.partition,
    ...(after.key.sort === undefined ? {} : { [after.key.sort]: before.key.sort }),
  };
  const ownOf = (name: string, condition: KeyCondition) =>
    pairs.find((pair) => entities.includes(pair.name) && isShapedAs(pair.is.keys?.[name] ?? `<${name}>`, condition));
  // A parameter's name may differ from its attribute's name.
  const parameters = new Map(
    Object.entries(where).flatMap(([name, condition]) => {
      const own = ownOf(name, condition);
      if (own === undefined || typeof condition !== 'string') return [];
      const given = partsOf(template(condition));
      return partsIn(own.is.keys?.[name] ?? `<${name}>`).map((attribute, i) => [attribute, given[i] as Part]);
    }),
  );
  const old = Object.entries(where).flatMap(([name, condition]): [string, KeyCondition][] => {
    const now = Object.hasOwn(role, name) ? role[name] : name;
    if (now === undefined) return [];
    const own = ownOf(name, condition);
    if (own?.was === undefined) return [[now, condition]];
    const text = renamedText(own.was.keys?.[now] ?? `<${now}>`, own.renamed);
    const asGiven = (part: Part) => {
      const { name: parameter, optional } = parameters.get(part.name) ?? part;
      return shownPart({ ...part, optional }, parameter);
    };
    return [[now, textWith(template(text), asGiven)]];
  });
  return Object.fromEntries(old);
}

/** Whether a condition and a key template are the same, apart from the names of their parts. */
function isShapedAs(key: string, condition: KeyCondition): boolean {
  const shape = (text: string) => textWith(template(text), (part) => shownPart({ name: '', format: part.format }));
  return typeof condition === 'string' && shape(condition) === shape(key);
}

function renamedWhere(where: Where, renamed: Readonly<Record<string, string>>): Where {
  const text = (template: string) => renamedText(template, renamed);
  const renamedCondition = (condition: KeyCondition): KeyCondition =>
    typeof condition === 'string'
      ? text(condition)
      : (Object.fromEntries(
          Object.entries(condition).map(([how, bound]) => [how, Array.isArray(bound) ? bound.map(text) : text(bound)]),
        ) as unknown as KeyCondition);
  return Object.fromEntries(Object.entries(where).map(([name, condition]) => [name, renamedCondition(condition)]));
}

/** Whether all parameters of the old condition are also parameters of the new condition. */
function isGiven(old: Where, now: Where): boolean {
  const parameters = (where: Where) =>
    Object.values(where)
      .flatMap((condition) => (typeof condition === 'string' ? [condition] : Object.values(condition).flat()))
      .flatMap(partsIn);
  const given = parameters(now);
  return parameters(old).every((name) => given.includes(name));
}

export function partsIn(text: string): readonly string[] {
  return partsOf(template(text)).map(({ name }) => name);
}

/** Returns a key template in which attributes have their new names. */
export function renamedText(text: string, renamed: Readonly<Record<string, string>>): string {
  return withNames(text, (name) => (Object.hasOwn(renamed, name) ? (renamed[name] as string) : name));
}
