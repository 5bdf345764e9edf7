import { type EntityBlueprint, type KeySource, keysIn } from '../../blueprint/table';
import { partsOf, placesOf, shownHole, textWith } from '../../blueprint/template-parts';
import { inWords } from '../../blueprint/words';
import type { Hole, Template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey } from '../places';
import type { TableUnderCheck } from '../subject';
import { areOfAKind, thingOf, thingsIn, wordBefore } from '../things';

const causes = {
  'other-order': 'two partition keys are made of the same words and parts, in a different order',
  'in-one-key': 'each of two parts comes after the word of the other',
  'of-another-thing':
    'a word of a partition key names one attribute of the entity, but the part after it is the id of something else',
} as const;

type Cause = keyof typeof causes;

export const swappedPart: TableRule<'swapped-part', Cause> = {
  id: 'swapped-part',
  severity: 'warning',
  why: "'REPO#<name>#<owner>' and 'REPO#<owner>#<name>' are different partitions: what is written under one is not found under the other.",
  causes,
  *check(table) {
    const seen = new Map<string, KeySource>();
    for (const entity of table.plan.entities) {
      for (const key of [table.plan.key, ...table.plan.indexes]) {
        const sources = keysIn(entity, key);
        if (sources === undefined) continue;
        const [partition] = sources as [KeySource, ...KeySource[]];
        const fault = crossed(entity, sources) || strange(table, entity, partition) || reordered(seen, partition);
        if (fault) yield fault;
      }
    }
  },
};

/** The attribute that belongs where a part is, if the word before the part names another attribute of the entity. */
function misnamed(table: TableUnderCheck, entity: EntityBlueprint, template: Template, hole: Hole): string | undefined {
  const thing = thingOf(hole);
  if (thing === undefined || !thingsIn(table).has(thing)) return undefined;
  const word = wordBefore(template, hole);
  // A key may begin with the kind of item, whatever comes after.
  if (word === undefined || word === inWords(entity.name) || word.includes(thing) || thing.includes(word))
    return undefined;
  return entity.attributes.find((attribute) => inWords(attribute) === `${word}id`);
}

/** Two parts that have changed places: `USER#<orderId>`, `ORDER#<userId>`. */
function crossed(entity: EntityBlueprint, sources: readonly KeySource[]): Found<Cause> | undefined {
  if (sources.reduce((count, { template }) => count + partsOf(template).length, 0) < 2) return undefined;
  const parts = sources.flatMap((source) => partsOf(source.template).map((hole) => ({ source, hole })));
  const meant = parts.map(({ source, hole }) => {
    const [thing, word] = [thingOf(hole), wordBefore(source.template, hole)];
    return thing === undefined || word === undefined || word === thing ? undefined : `${word}id`;
  });
  for (const [i, { source, hole }] of parts.entries()) {
    const j = parts.findIndex(
      (other, at) =>
        at !== i &&
        meant[i] === inWords(other.hole.name) &&
        meant[at] !== undefined &&
        meant[at] === inWords(hole.name),
    );
    const other = parts[j]?.hole;
    if (other === undefined) continue;
    const proposed = textWith(source.template, (part) =>
      shownHole(part === hole ? other : part === other ? hole : part),
    );
    return {
      ...atKey(source, { part: hole.name, proposed }),
      cause: 'in-one-key',
      message: `'${source.template.text}' of ${entity.name} has <${hole.name}> after the word for <${other.name}>, and vice versa`,
      fix: `write '${proposed}'${source === parts[j]?.source ? '' : `, and change the other key of ${entity.name} likewise`}`,
    };
  }
  return undefined;
}

/** A part that is the id of something else: `TENANT#<customerId>` of an entity with a tenantId. */
function strange(table: TableUnderCheck, entity: EntityBlueprint, source: KeySource): Found<Cause> | undefined {
  const { template } = source;
  for (const hole of partsOf(template)) {
    const meant = misnamed(table, entity, template, hole);
    if (meant === undefined || partsOf(template).some(({ name }) => name === meant)) continue;
    const proposed = textWith(template, (part) => (part === hole ? `<${meant}>` : shownHole(part)));
    return {
      ...atKey(source, { part: hole.name, proposed }),
      cause: 'of-another-thing',
      message: `'${template.text}' has <${hole.name}> where its text names the ${meant} of ${entity.name}`,
      fix: `write '${proposed}', or use a word for what is there`,
    };
  }
  return undefined;
}

/** The same words and parts in another order: partitions are asked for as a whole, so no order serves better. */
function reordered(seen: Map<string, KeySource>, source: KeySource): Found<Cause> | undefined {
  const { template } = source;
  if (partsOf(template).length < 2 || !/[a-z\u0080-\uffff]/i.test(placesOf(template)[0]?.lead ?? '')) return undefined;
  const names = partsOf(template).map((hole) => inWords(shownHole(hole)));
  const form = JSON.stringify([textWith(template, () => '<>'), [...names].sort()]);
  const first = seen.get(form);
  if (first === undefined) seen.set(form, source);
  if (first === undefined || first.template.text === template.text) return undefined;
  const [hole, there] = partsOf(template).flatMap((part, i) => {
    const other = partsOf(first.template)[i] as Hole;
    return inWords(other.name) === inWords(part.name) ? [] : [part, other];
  });
  if (hole === undefined || there === undefined || areOfAKind(hole, there)) return undefined;
  const proposed = first.template.text;
  return {
    ...atKey(source, { part: hole.name, proposed, entities: [first.entity] }),
    cause: 'other-order',
    message: `'${template.text}' has the parts of '${proposed}', ${first.attribute} of ${first.entity}, in a different order: the two are never the same partition`,
    fix: `write '${proposed}', or give it a word of its own`,
  };
}
