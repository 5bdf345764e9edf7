import { type EntityOutline, keyOf, type TableOutline } from '../blueprint/outline';
import type { Condition, UpdatePattern } from '../design/pattern';
import type { Item } from '../items/item';
import { type Append, changeMaker } from '../items/update';
import { conditioned, Expression } from './expression';

/** Makes the input of an update, except its key. */
export function updateBuilder(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  step: UpdatePattern,
  append?: Append,
): (values: object) => Item {
  const change = changeMaker(table, entity, name, step, append);
  const condition = existing(table, step);
  return (values) => {
    const { set, copied, computed, added, removed } = change(values);
    const expression = new Expression();
    const sets = [
      ...Array.from(set, ([path, value]) => `${expression.name(path)} = ${expression.value(value)}`),
      ...Array.from(copied, ([path, from]) => `${expression.name(path)} = ${expression.name(from)}`),
      ...Array.from(computed, ([path, { how, value }]) => {
        const current = expression.name(path);
        if (how === 'ifMissing') return `${current} = if_not_exists(${current}, ${expression.value(value)})`;
        const list = `if_not_exists(${current}, ${expression.value([])})`;
        const more = expression.value(value);
        return `${current} = list_append(${how === 'append' ? `${list}, ${more}` : `${more}, ${list}`})`;
      }),
      ...Array.from(added, ([path, amount]) => {
        const current = expression.name(path);
        return `${current} = if_not_exists(${current}, ${expression.value(0)}) + ${expression.value(amount)}`;
      }),
    ];
    const gone = removed.map((path) => expression.name(path));
    const tests = [
      ...expression.tests(condition, [entity], values),
      ...Array.from(computed.values(), ({ fits = {} }) => expression.tests(fits, [entity], values)).flat(),
    ];
    return {
      UpdateExpression: [
        ...(sets.length === 0 ? [] : [`SET ${sets.join(', ')}`]),
        ...(gone.length === 0 ? [] : [`REMOVE ${gone.join(', ')}`]),
      ].join(' '),
      ...conditioned(tests, expression),
    };
  };
}

/** The condition of an update: unless it may create the item, the item must exist. */
function existing({ key }: TableOutline, { upsert, condition = {} }: UpdatePattern): Condition {
  return upsert ? condition : { [keyOf(key)[0]?.name as string]: { exists: true }, ...condition };
}
