import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import {
  type EntityBlueprint,
  entityNamed,
  isSortKey,
  type KeySource,
  knownParts,
  type TableBlueprint,
} from '../../blueprint/table';
import { paddedTo, partsOf, shownHole } from '../../blueprint/template-parts';
import type { Hole, Template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey, atWhere } from '../places';
import { hasRoom, widthFor } from '../room';
import { sortingParts } from '../sorting';
import { boundsOf, type PatternAccess } from '../subject';

const causes = {
  'in-key': 'a number in a string sort key is not padded',
  'in-key-not-whole': 'a number in a string sort key is not padded, and may be negative or a fraction',
  'no-maximum':
    'a number is padded and has no maximum: one with more digits is refused (a note if there are many digits)',
  'in-pattern': 'a pattern and the key it asks for pad a number differently (an error)',
} as const;

type Cause = keyof typeof causes;

export const unpaddedNumber: TableRule<'unpadded-number', Cause> = {
  id: 'unpadded-number',
  severity: 'warning',
  why: 'Keys are compared as text, where 10 comes before 9.',
  causes,
  check({ plan, accesses }) {
    const numbered = plan.sources.filter(({ facts }) => facts.some(isNumber));
    if (numbered.length === 0) return [];
    return [
      ...numbered.filter(({ natural }) => !natural).flatMap((source) => inKey(plan, source)),
      ...accesses.flatMap((access) => [...inPattern(plan, access)]),
    ];
  },
};

function isNumber(facts: AttributeFacts | undefined): facts is AttributeFacts {
  return facts?.kind === 'number';
}

/** With this many digits, it takes long to reach the end. */
const MANY_DIGITS = 6;

function inKey(plan: TableBlueprint, source: KeySource): readonly Found<Cause>[] {
  const { attribute, template } = source;
  if (!isSortKey(plan, attribute)) return [];
  const sorting = sortingParts(plan, source);
  return knownParts(source).flatMap(({ part: hole, facts: known }): readonly Found<Cause>[] => {
    const { name, format } = hole;
    const width = paddedTo(hole);
    const facts = sorting.includes(hole) ? known : undefined;
    if (
      width !== undefined &&
      isNumber(facts) &&
      facts.values === undefined &&
      (facts.maximum ?? Infinity) >= Number.MAX_SAFE_INTEGER
    ) {
      const most = 10 ** width - 1;
      const message = `'${template.text}': <${name}:${format}> has room for ${width} digits, but the number has no maximum: from ${most + 1} up it is refused`;
      const fix = `say how large it can be: .max(${most})`;
      const severity = width < MANY_DIGITS ? 'warning' : 'note';
      return [{ severity, ...atKey(source, { part: name }), cause: 'no-maximum', message, fix }];
    }
    if (format !== undefined || !isNumber(facts) || hasOneWidth(facts)) return [];
    const message = `'${template.text}': the number <${name}> sorts as text, 10 before 9`;
    const cause = isPaddable(facts) ? 'in-key' : 'in-key-not-whole';
    const first = cause === 'in-key' ? '' : 'make it z.int().min(0), and ';
    const proposed = `<${name}:${widthFor(facts)}>`;
    return [{ ...atKey(source, { part: name, proposed }), cause, message, fix: `${first}pad it: ${proposed}` }];
  });
}

/** A number that is padded in the key and not in the pattern, or the other way round, is never found. */
function* inPattern(plan: TableBlueprint, access: PatternAccess): Iterable<Found<Cause>> {
  for (const [attribute, bound] of boundsOf(access)) {
    for (const hole of partsOf(bound)) {
      const written = access.entities.flatMap(
        (name) => numberAt(entityNamed(plan, name), attribute, bound, hole) ?? [],
      );
      const other = written.find(({ format }) => typeof format !== 'string' && format !== hole.format);
      if (other === undefined || typeof hole.format === 'string') continue;
      const proposed = shownHole(other, hole.name);
      yield {
        severity: 'error',
        ...atWhere(access, attribute, { part: hole.name, proposed }),
        cause: 'in-pattern',
        message: `${shownHole(hole)} makes ${seven(hole)} where the key, by ${shownHole(other)}, has ${seven(other)}`,
        fix: `write ${proposed}`,
      };
    }
  }
}

/** The number in an entity's key that a parameter stands for, if it is one. */
function numberAt(entity: EntityBlueprint | undefined, attribute: string, bound: Template, hole: Hole) {
  const template = entity?.keys.get(attribute)?.template;
  const part = template && counterpartOf(bound, hole, template);
  const facts = part && attributeAt((entity as EntityBlueprint).design.attributes, part.path);
  // If the width is too small for the number, the key has to change, not the pattern.
  return part && facts?.kind === 'number' && hasRoom(part, facts) ? part : undefined;
}

function seven({ format }: Hole): string {
  return '7'.padStart(typeof format === 'number' ? format : 1, '0');
}

/** Whether all numbers within the bounds have the same number of digits, as years do. */
function hasOneWidth(facts: AttributeFacts): boolean {
  const { minimum, maximum, values = [minimum, maximum] } = facts;
  const isKnown = values.every((value) => value !== undefined);
  return isKnown && isPaddable(facts) && new Set(values.map((value) => String(value).length)).size === 1;
}

/** Whether a number can be padded: only whole numbers from zero up can. */
function isPaddable({ integer, minimum, values }: AttributeFacts): boolean {
  if (values !== undefined) return values.every((value) => Number.isInteger(value) && Number(value) >= 0);
  return integer === true && minimum !== undefined && minimum >= 0;
}
