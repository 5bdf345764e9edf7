import { type EntityOutline, entityNamed, type TableOutline } from '../blueprint/outline';
import { GUARD_OWNER, guardNameOf } from '../blueprint/unique';
import type { FindPattern } from '../design/pattern';
import { type Item, ItemError } from '../items/item';
import { keyBuilder } from '../items/parameters';
import type { Builder } from './read';

/**
 * The two requests that find an item by a unique value: the first reads the guard, and the second reads the item that
 * the guard points to.
 */
export interface Find {
  /** The request for the guard. */
  readonly build: Builder;
  /** The request for the item; undefined if no item has the value. */
  next(found: Item, request: Item): Item | undefined;
}

export function findOf(table: TableOutline, tableName: string, { unique, returns, consistent }: FindPattern): Find {
  const [name = ''] = returns;
  const entity = entityNamed(table, name);
  const guard = entityNamed(table, guardNameOf(name, unique));
  if (entity === undefined || guard?.guards === undefined)
    throw new ItemError(`'${name}' has no unique value '${unique}'; run the check, which shows a fix`);
  const key = keyBuilder(table, keyTexts(guard), [guard]);
  const own = keyBuilder(table, keyTexts(entity), [entity]);
  return {
    build: (values, options) => ({
      TableName: tableName,
      Key: key(values),
      ...((options?.consistent ?? consistent) && { ConsistentRead: true }),
    }),
    next(found, request) {
      const owner = (found.Item as Item | undefined)?.[GUARD_OWNER] as object | undefined;
      return owner && { ...request, Key: own(nested(owner)) };
    },
  };
}

/** Returns an entity's key templates as strings, keyed by key attribute. */
export function keyTexts({ keys }: EntityOutline): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(keys, ([name, { template }]) => [name, template.text]));
}

/** Converts an owner's attributes to nested maps. A guard stores them keyed by path. */
function nested(owner: object): object {
  const values: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(owner)) {
    const [first = '', ...rest] = path.split('.');
    values[first] = rest.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  }
  return values;
}
