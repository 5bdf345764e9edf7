import { isOpen } from '../blueprint/attributes/schema';
import { type EntityOutline, isOfTable, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { partsOf } from '../blueprint/template-parts';
import { type Item, ItemError, unknownAttribute, validValue } from '../items/item';

/** The fields of a raw update that determine what it changes. */
export interface RawUpdate {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
}

/**
 * A path that an update expression changes. If the expression simply sets the path to a value, `value` is the value's
 * placeholder.
 */
interface Target {
  readonly path: string;
  readonly value?: string | undefined;
}

/**
 * Refuses an update that changes a key or an attribute in a key template, refers to an unknown attribute, or sets an
 * invalid value.
 */
export function checkUpdate(table: TableOutline, entity: EntityOutline, update: RawUpdate): void {
  const { UpdateExpression: expression, ExpressionAttributeValues: values = {} } = update;
  if (typeof expression !== 'string')
    throw new ItemError('an update needs an UpdateExpression, such as SET title = :title');
  for (const { path: written, value } of targetsOf(expression)) {
    const path = written.replace(/#\w+/g, (name) => update.ExpressionAttributeNames?.[name] ?? name);
    const [head = ''] = path.split(/[.[]/);
    const attribute = naming.attributeOf(entity.design.stored, head);
    const keys = [...entity.keys.values()].filter(({ template }) =>
      partsOf(template).some(({ name }) => name === attribute),
    );
    if (isOfTable(table, head) || keys.length > 0) {
      const because =
        keys.length > 0
          ? `${attribute} is part of ${keys.map((key) => key.attribute).join(', ')}`
          : `${attribute} is a key or the type`;
      throw new ItemError(
        `${because}, which a raw expression would not keep up to date; write a pattern with op: 'update'`,
      );
    }
    if (!entity.attributes.includes(attribute) && !isOpen(entity.schema)) throw unknownAttribute(entity, attribute);
    if (value !== undefined && Object.hasOwn(values, value))
      validValue(entity, attribute + path.slice(head.length), values[value]);
  }
}

const CLAUSE = /^(SET|REMOVE|ADD|DELETE)$/i;

/** The paths that an update expression changes. */
function targetsOf(expression: string): readonly Target[] {
  const tokens = expression.match(/[(),=]|[#:\w][\w.:#[\]-]*/g) ?? [];
  const targets: Target[] = [];
  let depth = 0;
  let isNext = false;
  for (const [i, token] of tokens.entries()) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && (token === ',' || CLAUSE.test(token))) isNext = true;
    else if (isNext) {
      isNext = false;
      const after = tokens[i + 3];
      const isPlain = tokens[i + 1] === '=' && (after === undefined || after === ',' || CLAUSE.test(after));
      targets.push({ path: token, value: isPlain ? tokens[i + 2] : undefined });
    }
  }
  return targets;
}
