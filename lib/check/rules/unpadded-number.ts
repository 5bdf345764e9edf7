import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf, standsFor } from '../../blueprint/keys';
import {
  type EntityBlueprint,
  entitiesNamed,
  isSortKey,
  type KeySource,
  knownParts,
  type TableBlueprint,
} from '../../blueprint/table';
import { paddedTo, partsOf, shownPart } from '../../blueprint/template-parts';
import type { Part, Template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { atKey, atWhere } from '../findings/place';
import { hasRoom, isPaddable, widthFor } from '../keys/padding';
import { sortingParts } from '../keys/sorting-parts';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../table-under-check';
import { inAskedOrder } from './order-unserved';

const causes = {
  'in-key': 'a number in a string sort key is not padded',
  'in-key-not-whole': 'a number in a string sort key is not padded, and may be negative or a fraction',
  'no-maximum':
    'a padded number has no maximum, so a number with too many digits is refused (a note if the part is padded to many digits)',
  'in-pattern': 'a pattern and a key pad the same number differently (an error)',
} as const;

type Cause = keyof typeof causes;

export const unpaddedNumber: TableRule<'unpadded-number', Cause> = {
  id: 'unpadded-number',
  severity: 'warning',
  why: 'Keys sort as text, so 10 comes before 9.',
  causes,
  check(table) {
    const numbered = table.sources.filter(({ facts }) => facts.some(isNumber));
    if (numbered.length === 0) return [];
    return [
      ...numbered.filter(({ natural }) => !natural).flatMap((source) => inKey(table, source)),
      ...table.accesses.flatMap((access) => [...inPattern(table, access)]),
    ];
  },
};

function isNumber(facts: AttributeFacts | undefined): facts is AttributeFacts {
  return facts?.kind === 'number';
}

/** A counter with this many digits takes years to overflow. */
const MANY_DIGITS = 6;

function inKey(table: TableUnderCheck, source: KeySource): readonly Found<Cause>[] {
  const { attribute, template } = source;
  if (!isSortKey(table, attribute)) return [];
  const sorting = sortingParts(table, source);
  return knownParts(source).flatMap(({ part, facts: known }): readonly Found<Cause>[] => {
    const { name, format } = part;
    const width = paddedTo(part);
    const facts = sorting.includes(part) ? known : undefined;
    if (
      width !== undefined &&
      isNumber(facts) &&
      facts.values === undefined &&
      (facts.maximum ?? Infinity) >= Number.MAX_SAFE_INTEGER
    ) {
      const most = 10 ** width - 1;
      const message = `'${template.text}': <${name}:${format}> has room for ${width} digits, but the number has no maximum, and requests with numbers above ${most} are refused`;
      const fix = `add a maximum: .max(${most})`;
      const severity = width < MANY_DIGITS ? 'warning' : 'note';
      return [{ severity, ...atKey(source, { part: name }), cause: 'no-maximum', message, fix }];
    }
    if (format !== undefined || !isNumber(facts) || hasOneWidth(facts)) return [];
    const message = `'${template.text}': the number <${name}> sorts as text, so 10 comes before 9`;
    const cause = isPaddable(facts) ? 'in-key' : 'in-key-not-whole';
    const first = cause === 'in-key' ? '' : `declare '${name}' as z.int().min(0), and `;
    const proposed = `<${name}:${widthFor(facts)}>`;
    const padded = source.natural ? proposed : `${source.attribute}: '${template.text.replace(`<${name}>`, proposed)}'`;
    const edits = cause === 'in-key' ? keyEdits(table, source, `<${name}>`, proposed) : {};
    const fault = { cause, message, fix: `${first}pad the number: ${padded}`, ...edits } as const;
    return [{ ...atKey(source, { part: name, proposed }), ...inAskedOrder(table, source, part, fault) }];
  });
}

/** Reports requests that format a number differently from the key, and therefore never find an item. */
function* inPattern(table: TableBlueprint, access: PatternAccess): Iterable<Found<Cause>> {
  const entities = entitiesNamed(table, access.entities);
  for (const [attribute, bound] of boundsOf(access)) {
    for (const part of partsOf(bound)) {
      const { format = standsFor(entities, attribute, bound, part).format } = part;
      if (typeof format === 'string') continue;
      const written = entities.flatMap((entity) => numberAt(entity, attribute, bound, part) ?? []);
      const other = written.find((number) => typeof number.format !== 'string' && number.format !== format);
      if (other === undefined) continue;
      const proposed = shownPart(other, part.name);
      yield {
        severity: 'error',
        ...atWhere(access, attribute, { part: part.name, proposed }),
        cause: 'in-pattern',
        message: `${shownPart(part)} renders 7 as ${seven(part)}, but ${shownPart(other)} in the key renders 7 as ${seven(other)}, so the request finds nothing`,
        fix: `write ${proposed}`,
        edits: [{ path: atWhere(access, attribute).path, replace: [shownPart(part), proposed] }],
      };
    }
  }
}

/** Returns the part of an entity's key that corresponds to a parameter, if that part is a number. */
function numberAt(entity: EntityBlueprint, attribute: string, bound: Template, ours: Part) {
  const template = entity.keys.get(attribute)?.template;
  const part = template && counterpartOf(bound, ours, template);
  const facts = part && attributeAt(entity.design.attributes, part.path);
  // If the width is too small for the number, the key has to change, not the pattern.
  return part && facts?.kind === 'number' && hasRoom(part, facts) ? part : undefined;
}

function seven({ format }: Part): string {
  return '7'.padStart(typeof format === 'number' ? format : 1, '0');
}

/** Whether all numbers within the bounds have the same number of digits, as with years. */
function hasOneWidth(facts: AttributeFacts): boolean {
  const { minimum, maximum, values = [minimum, maximum] } = facts;
  const isKnown = values.every((value) => value !== undefined);
  return isKnown && isPaddable(facts) && new Set(values.map((value) => String(value).length)).size === 1;
}
