import type { EntityOutline, TableOutline } from '../blueprint/outline';
import type { Condition, UpdatePattern } from '../design/pattern';
import type { Item } from '../items/item';
import { changeMaker } from '../items/update';
import { conditioned, Expression } from './expression';
import type { Lists } from './features';

/** Builds the input of an update, except for the key. */
export function updateBuilder(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  step: UpdatePattern,
  lists?: Lists,
): (values: object) => Item {
  const change = changeMaker(table, entity, name, step, lists);
  const condition = existing(table, step);
  return (values) => {
    const { set, copied, computed, added, removed } = change(values);
    const expression = new Expression([entity]);
    const SET = [
      ...Array.from(set, ([path, value]) => `${expression.name(path)} = ${expression.value(value)}`),
      ...Array.from(copied, ([path, from]) => `${expression.name(path)} = ${expression.name(from)}`),
      ...Array.from(computed).flatMap(([path, { how, value }]) => {
        if (how !== 'ifMissing') return [];
        const current = expression.name(path);
        return `${current} = if_not_exists(${current}, ${expression.value(value)})`;
      }),
      ...Array.from(added, ([path, amount]) => {
        const current = expression.name(path);
        return `${current} = if_not_exists(${current}, ${expression.value(0)}) + ${expression.value(amount)}`;
      }),
    ];
    const clauses = { SET, REMOVE: removed.map((path) => expression.name(path)) };
    lists?.addClauses(clauses, expression, computed);
    const tests = [
      ...expression.tests(condition, values),
      ...Array.from(computed.values(), ({ fits = {} }) => expression.tests(fits, values)).flat(),
    ];
    return {
      UpdateExpression: Object.entries(clauses)
        .flatMap(([verb, terms]) => (terms.length === 0 ? [] : `${verb} ${terms.join(', ')}`))
        .join(' '),
      ...conditioned(tests, expression),
    };
  };
}

/** Returns an update's condition, which requires the item to exist unless the update may create it. */
function existing({ key }: TableOutline, { upsert, condition = {} }: UpdatePattern): Condition {
  return upsert ? condition : { [key.partitionBy[0].name]: { exists: true }, ...condition };
}
