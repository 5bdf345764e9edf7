import type { Access } from '../blueprint/accesses';
import { comparisonOf, isAttribute, isGroup } from '../blueprint/conditions';
import type { Addend, Assignment, Condition, Operand, Test } from '../design/pattern';

/** An access in words. */
export interface AccessWords {
  readonly verb: string;
  /** The words that link the table or index to the key values, such as “the item whose”. */
  readonly whose: string;
  /** All other fields of the pattern, in words. Names and values from the design are between backticks. */
  readonly clauses: readonly string[];
}

const VERBS = {
  ...{ get: 'get from', find: 'get from', batchGet: 'get from', transactGet: 'get from', query: 'query', scan: 'scan' },
  ...{ put: 'put into', update: 'update in', delete: 'delete from', require: 'require in' },
} as const;

/**
 * Describes an access. The words must cover every field of the pattern. Otherwise, the pattern would seem to do less
 * than it does.
 */
export function wordsOf({ step, unique }: Access): AccessWords {
  const { op } = step;
  const whose = op === 'query' || op === 'scan' ? 'where' : `${op === 'put' ? 'an' : 'the'} item whose`;
  return { verb: VERBS[op], whose, clauses: unique === undefined ? [...clausesOf(step)] : [guardClause(unique, op)] };
}

/** Describes what happens to the guard of a unique value. */
function guardClause(unique: string, op: Access['step']['op']): string {
  if (op === 'put') return `the guard of ${code(unique)}, only if no other owner has the value`;
  return op === 'delete' ? `the guard of ${code(unique)}, which frees the value` : `the guard of ${code(unique)}`;
}

function* clausesOf(step: Access['step']): Iterable<string> {
  if ('each' in step && step.each !== undefined) yield `for each of ${code(step.each)}`;
  if ('optional' in step && step.optional) yield 'if values are given';
  switch (step.op) {
    case 'put':
      for (const [name, value] of Object.entries(step.item ?? {})) yield `with ${code(name)} ${operand(value)}`;
      yield step.replace ? 'replacing an existing item' : 'only if no such item exists';
      break;
    case 'update':
      for (const [path, value] of Object.entries(step.set ?? {})) yield assigned(path, value);
      for (const [path, value] of Object.entries(step.add ?? {})) yield `add ${amount(value)} to ${code(path)}`;
      for (const [path, value] of Object.entries(step.subtract ?? {}))
        yield `${Array.isArray(value) ? 'remove' : 'subtract'} ${amount(value)} from ${code(path)}`;
      for (const path of step.remove ?? []) yield `remove ${code(path)}`;
      if (step.upsert) yield 'create the item if it is missing';
      break;
    case 'query':
    case 'scan':
      if (step.filter !== undefined) yield `then keep only items where ${condition(step.filter)}`;
      if (step.op === 'query') {
        const by = step.orderBy === undefined ? '' : ` of ${code(step.orderBy)}`;
        yield `in ${step.order ?? 'ascending'} order${by}`;
        if (step.merge) yield 'across all partitions';
        const lists = Object.keys(step.group ?? {}).map(code);
        if (lists.length > 0) yield `grouped into the ${lists.length === 1 ? 'list' : 'lists'} ${lists.join(', ')}`;
        if (step.select !== undefined) yield `only ${step.select.map(code).join(', ')}`;
      }
      if (step.pageSize !== undefined) yield `${step.pageSize} per page`;
      break;
    default:
  }
  if ('condition' in step && step.condition !== undefined)
    yield `${step.op === 'require' ? 'that' : 'only if'} ${condition(step.condition)}`;
  if ('unchanged' in step && step.unchanged) yield 'only if the item has not changed since it was read';
  if ('consistent' in step && step.consistent) yield 'consistently';
  if ('unexpired' in step && step.unexpired) yield 'without expired items';
  if ('returns' in step && step.returns === 'new') yield 'and return the updated item';
  if ('returns' in step && step.returns === 'old') yield 'and return the previous item';
}

function assigned(path: string, value: Assignment): string {
  if (typeof value !== 'object' || value === null || isAttribute(value as Test))
    return `set ${code(path)} to ${operand(value as Operand)}`;
  if ('append' in value) return `append ${operand(value.append)} to ${code(path)}`;
  if ('prepend' in value) return `prepend ${operand(value.prepend)} to ${code(path)}`;
  return `set ${code(path)} to ${operand((value as { ifMissing: Operand }).ifMissing)} if it is missing`;
}

const RELATIONS: Readonly<Record<string, string>> = {
  ...{ equals: 'is', not: 'is not', in: 'is one of', contains: 'contains', beginsWith: 'begins with' },
  ...{ atLeast: 'is at least', atMost: 'is at most', greaterThan: 'is more than', lessThan: 'is less than' },
  between: 'is between',
};

function condition(tests: Condition): string {
  const all = Object.entries(tests).map(([path, test]) => {
    if (!isGroup(test)) return tested(path, test);
    const choices = test.map(condition).join(' or ');
    return path === 'any' ? `(${choices})` : `not (${choices})`;
  });
  return all.join(' and ');
}

function tested(path: string, test: Test): string {
  const [comparison, operands, isSize] = comparisonOf(test);
  const what = isSize ? `the size of ${code(path)}` : code(path);
  if (comparison === 'exists') return `${what} ${operands[0] === true ? 'exists' : 'does not exist'}`;
  const joint = comparison === 'between' ? ' and ' : ', ';
  return `${what} ${RELATIONS[comparison] ?? comparison} ${operands.map(operand).join(joint)}`;
}

function amount(value: Addend): string {
  return typeof value === 'object' ? value.map(operand).join(' and ') : operand(value);
}

function operand(value: Operand): string {
  if (isAttribute(value)) return `the item's ${code(value.attribute)}`;
  return code(value === '' ? '""' : String(value));
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
