import { type EntityBlueprint, type KeySource, keysIn } from '../../blueprint/table';
import { partsOf, placesOf, shownPart, textWith } from '../../blueprint/template-parts';
import { inWords } from '../../blueprint/words';
import type { Part, Template } from '../../design/template';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { areOfAKind, kindIdentifiedBy, kindsWithIds, wordBefore } from '../names/ids';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'other-order': 'two partition keys have the same words and parts, but in a different order',
  'in-one-key':
    'each of two key parts follows the word that fits the other part, so the parts are probably swapped (a guess)',
  'of-another-thing':
    'a word in a partition key suggests one attribute of the entity, but the next part is the id of something else (a guess)',
} as const;

type Cause = keyof typeof causes;

export const swappedPart: TableRule<'swapped-part', Cause> = {
  id: 'swapped-part',
  severity: 'warning',
  why: '`REPO#<name>#<owner>` and `REPO#<owner>#<name>` are different partitions, so a query of one partition never finds the items of the other.',
  causes,
  *check(table) {
    const seen = new Map<string, KeySource>();
    for (const entity of table.entities) {
      for (const key of [table.key, ...table.indexes]) {
        const sources = keysIn(entity, key);
        if (sources === undefined) continue;
        const [partition] = sources as [KeySource, ...KeySource[]];
        const fault = crossed(entity, sources) || strange(table, entity, partition) || reordered(seen, partition);
        if (fault) yield fault;
      }
    }
  },
};

/**
 * Returns the attribute that should replace a part, if the word before the part refers to a different attribute of the
 * entity.
 */
function misnamed(table: TableUnderCheck, entity: EntityBlueprint, template: Template, part: Part): string | undefined {
  const thing = kindIdentifiedBy(part);
  if (thing === undefined || !kindsWithIds(table).has(thing)) return undefined;
  const word = wordBefore(template, part);
  // The word before a part may refer to the entity itself instead of to the part.
  if (word === undefined || word === inWords(entity.name) || word.includes(thing) || thing.includes(word))
    return undefined;
  return entity.attributes.find((attribute) => inWords(attribute) === `${word}id`);
}

/** Reports two swapped parts, as in `USER#<orderId>` and `ORDER#<userId>`. */
function crossed(entity: EntityBlueprint, sources: readonly KeySource[]): Found<Cause> | undefined {
  if (sources.reduce((count, { template }) => count + partsOf(template).length, 0) < 2) return undefined;
  const parts = sources.flatMap((source) => partsOf(source.template).map((part) => ({ source, part })));
  const meant = parts.map(({ source, part }) => {
    const [thing, word] = [kindIdentifiedBy(part), wordBefore(source.template, part)];
    return thing === undefined || word === undefined || word === thing ? undefined : `${word}id`;
  });
  for (const [i, { source, part: ours }] of parts.entries()) {
    const j = parts.findIndex(
      (other, at) =>
        at !== i &&
        meant[i] === inWords(other.part.name) &&
        meant[at] !== undefined &&
        meant[at] === inWords(ours.name),
    );
    const other = parts[j]?.part;
    if (other === undefined) continue;
    const swapped = ({ template }: KeySource) =>
      textWith(template, (part) => shownPart(part === ours ? other : part === other ? ours : part));
    const proposed = swapped(source);
    const both = new Set([source, parts[j]?.source as KeySource]);
    return {
      ...atKey(source, { part: ours.name, proposed }),
      ...GUESS,
      cause: 'in-one-key',
      message: `'${source.template.text}' of ${entity.name} has <${ours.name}> after the word that fits <${other.name}>, and vice versa`,
      fix: `write ${Array.from(both, (one) => `${one.attribute}: '${swapped(one)}'`).join(' and ')}`,
      edits: Array.from(both, (one) => ({ path: atKey(one).path, code: `'${swapped(one)}'` })),
    };
  }
  return undefined;
}

/** Reports a part that is the id of a different thing, such as `TENANT#<customerId>` in an entity with a tenantId. */
function strange(table: TableUnderCheck, entity: EntityBlueprint, source: KeySource): Found<Cause> | undefined {
  const { template } = source;
  for (const ours of partsOf(template)) {
    const meant = misnamed(table, entity, template, ours);
    if (meant === undefined || partsOf(template).some(({ name }) => name === meant)) continue;
    const proposed = textWith(template, (part) => (part === ours ? `<${meant}>` : shownPart(part)));
    return {
      ...atKey(source, { part: ours.name, proposed }),
      ...GUESS,
      cause: 'of-another-thing',
      message: `the word before <${ours.name}> in '${template.text}' suggests ${entity.name}'s '${meant}'`,
      fix: `write '${proposed}', or use a word that describes <${ours.name}>`,
    };
  }
  return undefined;
}

/**
 * Reports two partition keys that have the same words and parts, but in a different order. No query needs a second
 * order, because every query has the whole partition key.
 */
function reordered(seen: Map<string, KeySource>, source: KeySource): Found<Cause> | undefined {
  const { template } = source;
  if (partsOf(template).length < 2 || !/[a-z\u0080-\uffff]/i.test(placesOf(template)[0]?.lead ?? '')) return undefined;
  const names = partsOf(template).map((part) => inWords(shownPart(part)));
  const form = JSON.stringify([textWith(template, () => '<>'), [...names].sort()]);
  const first = seen.get(form);
  if (first === undefined) seen.set(form, source);
  if (first === undefined || first.template.text === template.text) return undefined;
  const [ours, there] = partsOf(template).flatMap((part, i) => {
    const other = partsOf(first.template)[i] as Part;
    return inWords(other.name) === inWords(part.name) ? [] : [part, other];
  });
  if (ours === undefined || there === undefined || areOfAKind(ours, there)) return undefined;
  const proposed = first.template.text;
  return {
    ...atKey(source, { part: ours.name, proposed, entities: [first.entity] }),
    cause: 'other-order',
    message: `'${template.text}' has the same parts as '${proposed}' (${first.attribute} of ${first.entity}) in a different order, so these keys never refer to the same partition`,
    fix: `write '${proposed}', or begin this key with a different word`,
  };
}
