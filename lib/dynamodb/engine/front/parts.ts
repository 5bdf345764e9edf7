import { invalid } from './refusal';
import { checkValue } from './rules/items';
import { checkAssignments, checkCondition } from './rules/operands';
import { checkPaths, targetsOf } from './rules/paths';
import { type Aliases, type Condition, Parser, type Path, type Update } from './syntax';
import { FIELDS } from './tokens';
import type { Attributes, Body } from './values';

/** The parsed and checked expressions of one request, and the values of their placeholders. */
export interface Parts {
  readonly condition?: Condition;
  readonly filter?: Condition;
  readonly keyCondition?: Condition;
  readonly update?: Update;
  readonly projection?: readonly Path[];
  /** Whether the engine cannot parse the expressions as the caller wrote them. */
  readonly isForeign: boolean;
  readonly values: Attributes;
}

const LONGEST_ALIAS = 255;

/**
 * Parses the expressions of a request or of one of its entries; refuses expressions that are invalid regardless of the
 * item.
 */
export function partsOf(input: Body): Parts {
  const names = checkedAliases(input, 'ExpressionAttributeNames', '#') as Readonly<Record<string, string>>;
  const values = checkedAliases(input, 'ExpressionAttributeValues', ':') as Attributes;
  const aliases: Aliases = { names, values, used: new Set() };
  const parser = (field: (typeof FIELDS)[number]) =>
    typeof input[field] === 'string' ? new Parser(field, input[field], aliases) : undefined;
  const condition = parser('ConditionExpression')?.condition();
  const filter = parser('FilterExpression')?.condition();
  const keyCondition = parser('KeyConditionExpression')?.condition();
  const update = parser('UpdateExpression')?.update();
  const projection = parser('ProjectionExpression')?.projection();
  if (condition !== undefined) checkCondition('ConditionExpression', condition, values);
  if (filter !== undefined) checkCondition('FilterExpression', filter, values);
  if (keyCondition !== undefined) checkCondition('KeyConditionExpression', keyCondition, values);
  if (update !== undefined) {
    checkAssignments(update, values);
    checkPaths('UpdateExpression', targetsOf(update));
  }
  if (projection !== undefined) checkPaths('ProjectionExpression', projection);
  refuseUnused('ExpressionAttributeNames', names, aliases.used);
  refuseUnused('ExpressionAttributeValues', values, aliases.used);
  return {
    ...(condition && { condition }),
    ...(filter && { filter }),
    ...(keyCondition && { keyCondition }),
    ...(update && { update }),
    ...(projection && { projection }),
    isForeign: aliases.isForeign === true,
    values,
  };
}

/** The parts of a request without expressions. */
export const NO_PARTS: Parts = { isForeign: false, values: {} };

function checkedAliases(
  input: Body,
  map: 'ExpressionAttributeNames' | 'ExpressionAttributeValues',
  sign: string,
): Body {
  const given = input[map] as Body | undefined;
  if (given === undefined || given === null) return {};
  if (FIELDS.every((field) => typeof input[field] !== 'string'))
    throw invalid(`${map} can only be specified when using expressions`);
  const aliases = Object.entries(given);
  if (aliases.length === 0) throw invalid(`${map} must not be empty`);
  for (const [alias, meaning] of aliases) {
    if (alias[0] !== sign || !/^[A-Za-z0-9_]+$/.test(alias.slice(1)))
      throw invalid(`${map} contains invalid key: Syntax error; key: "${alias}"`);
    if (alias.length > LONGEST_ALIAS)
      throw invalid(
        `${map} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${alias.length}`,
      );
    if (meaning === '') throw invalid(`${map} contains invalid value: Empty attribute name for key ${alias}`);
    if (sign === '#') continue;
    try {
      checkValue(meaning as Attributes[string]);
    } catch (error) {
      throw invalid(`${map} contains invalid value: ${(error as Error).message} for key ${alias}`);
    }
  }
  return given;
}

function refuseUnused(map: string, given: Body, used: ReadonlySet<string>): void {
  const unused = Object.keys(given).filter((alias) => !used.has(alias));
  if (unused.length > 0) throw invalid(`Value provided in ${map} unused in expressions: keys: {${unused.join(', ')}}`);
}
