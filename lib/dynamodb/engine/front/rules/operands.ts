import { invalid, type Refusal } from '../refusal';
import type { Assigned, Call, Condition, Operand, Update } from '../syntax';
import type { Field } from '../tokens';
import { type Attributes, compareValues, isSameValue, typeOf, type Value } from '../values';

const MOST_OPERATORS = 300;
const MOST_IN = 100;

/** The types whose values can be ordered. */
const ORDERED = ['S', 'N', 'B'];

const TYPES = ['N', 'BS', 'L', 'B', 'NULL', 'M', 'S', 'SS', 'NS', 'BOOL'];

/**
 * The functions that a condition can call, each with one entry per operand: the types that a literal may have, `path`
 * for a path only, or `any`.
 */
const FUNCTIONS: Readonly<Record<string, readonly (readonly string[] | 'path' | 'any')[]>> = {
  attribute_exists: ['path'],
  attribute_not_exists: ['path'],
  attribute_type: ['any', ['S']],
  begins_with: [
    ['S', 'B'],
    ['S', 'B'],
  ],
  contains: ['any', 'any'],
  size: [['S', 'B', 'SS', 'NS', 'BS', 'L', 'M']],
};

const UPDATE_FUNCTIONS: typeof FUNCTIONS = { if_not_exists: ['path', 'any'], list_append: [['L'], ['L']] };

const LONG_NAMES: Readonly<Record<string, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  L: 'LIST',
  M: 'MAP',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
};

/** Refuses a condition, filter or key condition whose operands are invalid regardless of the item. */
export function checkCondition(field: Field, condition: Condition, values: Attributes): void {
  const { error, checkCall, checkTypes, checkDistinct } = checksOf(field, values);
  let operators = 0;
  const visitOperand = (operand: Operand) => {
    if (operand.kind !== 'call') return;
    operators++;
    if (operand.name !== 'size' && operand.name in FUNCTIONS)
      throw error(`The function is not allowed to be used this way in an expression; function: ${operand.name}`);
    checkCall(operand, FUNCTIONS, 'a condition');
    operand.operands.forEach(visitOperand);
  };
  const visit = (node: Condition): void => {
    operators++;
    switch (node.kind) {
      case 'and':
      case 'or':
        visit(node.left);
        visit(node.right);
        return;
      case 'not':
        visit(node.of);
        return;
      case 'call':
        checkCall(node, FUNCTIONS, 'a condition');
        if (node.name === 'size')
          throw error('The function is not allowed to be used this way in an expression; function: size');
        if (node.name === 'attribute_type') checkTypeName(node);
        node.operands.forEach(visitOperand);
        checkDistinct(node.name, node.operands);
        return;
      case 'compare':
        node.operands.forEach(visitOperand);
        if (node.sign !== '=' && node.sign !== '<>') checkTypes(node.sign, node.operands, ORDERED);
        checkDistinct(node.sign, node.operands);
        return;
      case 'between':
        node.operands.forEach(visitOperand);
        checkTypes('BETWEEN', node.operands, ORDERED);
        checkBounds(node.operands[1], node.operands[2]);
        return;
      case 'in': {
        node.operands.forEach(visitOperand);
        const count = node.operands.length - 1;
        if (count > MOST_IN)
          throw error(`The IN operator is provided with too many operands; number of operands: ${count}`);
        checkDistinct('IN', node.operands);
      }
    }
  };
  const checkTypeName = ({ operands: [, type] }: Call) => {
    if (type?.kind !== 'value')
      throw error(
        `Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {${TYPES.join(',')}}`,
      );
    const name = String(values[type.name]?.S);
    if (!TYPES.includes(name))
      throw error(`Invalid attribute type name found; type: ${name}, valid types: {${TYPES.join(',')}}`);
  };
  const checkBounds = (low: Operand, high: Operand) => {
    if (low.kind !== 'value' || high.kind !== 'value') return;
    const [from, to] = [values[low.name] as Value, values[high.name] as Value];
    const bounds = `lower bound operand: AttributeValue: ${shown(from)}, upper bound operand: AttributeValue: ${shown(to)}`;
    if (typeOf(from) !== typeOf(to))
      throw error(`The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`);
    if (compareValues(from, to) > 0)
      throw error(`The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`);
  };
  visit(condition);
  if (operators > MOST_OPERATORS)
    throw error(`The expression contains too many operators; operator count: ${MOST_OPERATORS + 1}`);
}

/** Refuses an update whose functions or values are invalid regardless of the item. */
export function checkAssignments(update: Update, values: Attributes): void {
  const { error, checkCall, checkTypes } = checksOf('UpdateExpression', values);
  const visit = (assigned: Assigned, isInner: boolean): void => {
    if (assigned.kind === 'sum') {
      checkTypes(assigned.sign, assigned.operands, ['N']);
      for (const operand of assigned.operands) visit(operand, true);
    } else if (assigned.kind === 'call') {
      checkCall(assigned, UPDATE_FUNCTIONS, 'an update');
      if (isInner && assigned.name === 'list_append')
        throw error('The function is not allowed to be used this way in an expression; function: list_append');
      for (const operand of assigned.operands) visit(operand, true);
    }
  };
  for (const [, assigned] of update.set) visit(assigned, false);
  for (const [section, changes, types] of [
    ['ADD', update.add, ['N', 'SS', 'NS', 'BS']],
    ['DELETE', update.delete, ['SS', 'NS', 'BS']],
  ] as const) {
    for (const [, name] of changes) {
      const type = typeOf(values[name] as Value);
      if (!(types as readonly string[]).includes(type))
        throw error(
          `Incorrect operand type for operator or function; operator: ${section}, operand type: ${LONG_NAMES[type]}, typeSet: ALLOWED_FOR_${section}_OPERAND`,
        );
    }
  }
}

function checksOf(field: Field, values: Attributes) {
  const error = (message: string): Refusal => invalid(`Invalid ${field}: ${message}`);

  function checkTypes(operator: string, operands: readonly Operand[], types: readonly string[]): void {
    for (const operand of operands) {
      const type = operandType(operand, values);
      if (type !== undefined && !types.includes(type))
        throw error(
          `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
        );
    }
  }

  function checkCall({ name, operands }: Call, functions: typeof FUNCTIONS, where: string): void {
    const wanted = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (wanted === undefined) {
      const isKnown = Object.hasOwn(FUNCTIONS, name) || Object.hasOwn(UPDATE_FUNCTIONS, name);
      throw error(
        isKnown
          ? `The function is not allowed in ${where} expression; function: ${name}`
          : `Invalid function name; function: ${name}`,
      );
    }
    if (operands.length !== wanted.length)
      throw error(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
    for (const [i, types] of wanted.entries()) {
      const operand = operands[i] as Operand;
      if (types === 'path' && operand.kind !== 'path')
        throw error(`Operator or function requires a document path; operator or function: ${name}`);
      if (typeof types !== 'string') checkTypes(name, [operand], types);
    }
  }

  function checkDistinct(operator: string, [first, ...rest]: readonly Operand[]): void {
    if (first?.kind !== 'path' || !rest.some((operand) => isSameValue(operand, first))) return;
    throw error(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${first.path.map(step).join(', ')}]`,
    );
  }

  return { error, checkTypes, checkCall, checkDistinct };
}

/** Returns the type of an operand, or undefined if the type depends on the item. */
function operandType(operand: Operand, values: Attributes): string | undefined {
  if (operand.kind === 'value') return typeOf(values[operand.name] as Value);
  if (operand.kind === 'path') return undefined;
  return operand.name === 'size' ? 'N' : operand.name === 'list_append' ? 'L' : undefined;
}

export function step(part: string | number): string {
  return typeof part === 'number' ? `[${part}]` : part;
}

function shown(value: Value): string {
  const type = typeOf(value);
  return `{${type}:${String(value[type])}}`;
}
