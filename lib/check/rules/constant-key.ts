import { attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, type KeySource, keyOf, keysIn } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import { isIdOf } from '../../blueprint/words';
import { GUESS, type TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { atKey } from '../findings/place';
import { readsSeveral } from '../requests/several';

const causes = {
  'one-item':
    'every item of an entity has the same primary key, but a pattern or an index expects several items (a guess if only an id attribute suggests several items)',
} as const;

type Cause = keyof typeof causes;

export const constantKey: TableRule<'constant-key', Cause> = {
  id: 'constant-key',
  severity: 'warning',
  why: 'If every item has the same primary key, only one item can exist: a second item overwrites the first or is refused.',
  causes,
  *check(table) {
    for (const entity of table.entities) {
      const sources = keyOf(table.key).flatMap(({ name }) => entity.keys.get(name) ?? []);
      const last = sources.at(-1);
      const isOne = sources.every(({ template }) => !hasParts(template) && template.faults.length === 0);
      // `template-literal` reports parts in the JavaScript syntax `${…}`.
      if (last === undefined || !isOne || sources.some(({ template }) => template.text.includes('${'))) continue;
      const several = readsSeveral(table, entity.name);
      const indexed = table.indexes.find((index) => keysIn(entity, index)?.some((source) => hasParts(source.template)));
      const id = ownId(
        entity,
        sources.flatMap(({ template }) => template.text.split(table.separator)),
      );
      const proves =
        several === undefined
          ? indexed && `index ${indexed.name} expects several items`
          : 'a pattern reads several items';
      if (id === undefined && proves === undefined) continue;
      // If a pattern reads several items at once, the partition key stays constant, so that these items stay in one
      // partition.
      const source = several === undefined ? (sources[0] as KeySource) : last;
      const proposed = `${source.template.text}${table.separator}<${id ?? 'id'}>`;
      yield {
        ...(proves === undefined ? GUESS : {}),
        ...atKey(source, { part: id, proposed }),
        cause: 'one-item',
        message: `every ${entity.name} has the same primary key${proves === undefined ? '' : `, but ${proves}`}: a second ${entity.name} overwrites the first or is refused${proves === undefined ? `, even with a different '${id}'` : ''}`,
        fix: `${id === undefined ? "add an attribute 'id', and " : ''}put the id into the key: '${proposed}'`,
        ...(id !== undefined && keyEdits(table, source, source.template.text, proposed)),
      };
    }
  },
};

/**
 * Guesses which attribute identifies an item, based on the name of the entity and the words in its key. A singleton,
 * such as settings, has no such attribute, or has one whose schema lists its values.
 */
function ownId({ name, design }: EntityBlueprint, words: readonly string[]): string | undefined {
  return attributeNames(design.attributes).find(
    (attribute) =>
      [name, ...words].some((thing) => isIdOf(thing, attribute)) &&
      attributeAt(design.attributes, [attribute])?.values === undefined,
  );
}
