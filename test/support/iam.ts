/**
 * Models how IAM evaluates identity policies, according to the IAM documentation. Covers only the features that this
 * library's policies use. All other features throw, so that no policy is judged incompletely.
 */

export interface Policy {
  readonly Version?: string;
  readonly Statement: readonly Statement[];
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** An authorization that a principal requests; some API calls request several authorizations. */
export interface Authorization {
  readonly action: string;
  readonly resource: string;
  /** The value of each condition key, or a list if a key can have several values. */
  readonly context: Context;
}

export type Context = Readonly<Record<string, string | readonly string[]>>;

export type Decision = 'allowed' | 'denied' | 'explicitly denied';

/** Decides whether a request is allowed: at least one statement must allow the request, and none may deny it. */
export function evaluate(policies: readonly Policy[], authorization: Authorization): Decision {
  const matching = policies.flatMap(({ Version, Statement }) => {
    if (Version !== '2012-10-17') throw new Error(`a policy of version ${Version} has no variables; not modeled`);
    return Statement.filter((statement) => applies(statement, authorization));
  });
  if (matching.some(({ Effect }) => Effect === 'Deny')) return 'explicitly denied';
  return matching.some(({ Effect }) => Effect === 'Allow') ? 'allowed' : 'denied';
}

/**
 * Returns the authorizations for the items of one call, in both readings of the IAM documentation. The first reading
 * has one authorization per item. The second has one for all items with the same action and resource, with the values
 * of all these items.
 */
export function readingsOf(items: readonly Authorization[]): readonly (readonly Authorization[])[] {
  const groups = new Map<string, Authorization>();
  for (const { action, resource, context } of items) {
    const name = `${action} ${resource}`;
    groups.set(name, { action, resource, context: merged(groups.get(name)?.context ?? {}, context) });
  }
  return [items, [...groups.values()]];
}

/** Merges only lists, because a condition key with a single value, such as a tag, describes the caller, not an item. */
function merged(before: Context, more: Context): Context {
  const lists = Object.entries(more).map(([key, value]) => {
    return [key, typeof value === 'string' ? value : [...listOf(before[key] ?? []), ...value]] as const;
  });
  return { ...before, ...Object.fromEntries(lists) };
}

/** Whether the items of a call are allowed in both readings, in only one of them, or in neither. */
export function allowsAll(
  policies: readonly Policy[],
  items: readonly Authorization[],
): 'always' | 'sometimes' | 'never' {
  const answers = readingsOf(items).map((asked) => asked.every((one) => evaluate(policies, one) === 'allowed'));
  return answers.every((is) => is) ? 'always' : answers.some((is) => is) ? 'sometimes' : 'never';
}

const ELEMENTS = ['Sid', 'Effect', 'Action', 'Resource', 'Condition'];

function applies(statement: Statement, { action, resource, context }: Authorization): boolean {
  const unknown = Object.keys(statement).filter((element) => !ELEMENTS.includes(element));
  if (unknown.length > 0) throw new Error(`not modeled: ${unknown.join(', ')}`);
  const { Action, Resource, Condition = {} } = statement;
  return (
    listOf(Action).some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase(), {})) &&
    listOf(Resource).some((pattern) => isLike(pattern, resource, context)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => holds(operator, key, listOf(values), context)),
    )
  );
}

type Test = (value: string, pattern: string, context: Context) => boolean;

const equals: Test = (value, pattern, context) => substituted(pattern, context)?.text === value;
const like: Test = (value, pattern, context) => isLike(pattern, value, context);

/** The condition operators. A negated operator is true if no listed value matches, and also if the key is missing. */
const OPERATORS: Readonly<Record<string, { readonly test: Test; readonly negated: boolean }>> = {
  StringEquals: { test: equals, negated: false },
  StringNotEquals: { test: equals, negated: true },
  StringLike: { test: like, negated: false },
  StringNotLike: { test: like, negated: true },
  Bool: { test: equals, negated: false },
};

function holds(name: string, key: string, patterns: readonly string[], context: Context): boolean {
  const found = valueIn(context, key);
  const [, quantifier, base = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  if (base === 'Null') return (found === undefined) === (patterns[0] === 'true');
  const operator = OPERATORS[base];
  if (operator === undefined) throw new Error(`condition operator not modeled: ${name}`);
  const passes = (value: string) =>
    patterns.some((pattern) => operator.test(value, pattern, context)) !== operator.negated;
  const values = found === undefined ? [] : listOf(found);
  // The trap of `ForAllValues`: it is true if there are no values.
  if (quantifier === 'ForAllValues') return values.every(passes);
  if (ifExists !== undefined && found === undefined) return true;
  if (quantifier === 'ForAnyValue') return values.some(passes);
  if (found === undefined) return operator.negated;
  if (typeof found !== 'string')
    throw new Error(`${key} has many values, and ${name} says nothing of how many must pass`);
  return passes(found);
}

function valueIn(context: Context, key: string): string | readonly string[] | undefined {
  const name = Object.keys(context).find((known) => known.toLowerCase() === key.toLowerCase());
  return name === undefined ? undefined : context[name];
}

/**
 * Whether a value matches a pattern. `*` matches any number of characters, and `?` matches one; wildcards in the value
 * of a variable are plain text.
 */
function isLike(pattern: string, value: string, context: Context): boolean {
  const filled = substituted(pattern, context);
  return filled !== undefined && new RegExp(`^${filled.expression}$`, 'su').test(value);
}

/**
 * Fills in the variables of a pattern. Returns undefined if a variable has no value, because the pattern then matches
 * nothing.
 */
function substituted(pattern: string, context: Context): { text: string; expression: string } | undefined {
  let text = '';
  let expression = '';
  for (const [whole, variable] of pattern.matchAll(/\$\{([^}]*)\}|[\s\S]/gu)) {
    if (variable === undefined) {
      text += whole;
      expression += whole === '*' ? '.*' : whole === '?' ? '.' : escaped(whole);
      continue;
    }
    const value = ['*', '?', '$'].includes(variable) ? variable : valueIn(context, variable);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new Error(`\${${variable}} has many values; not modeled`);
    text += value;
    expression += escaped(value);
  }
  return { text, expression };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
