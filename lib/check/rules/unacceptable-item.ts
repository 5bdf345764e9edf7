import { attributeAt, isRefined } from '../../blueprint/attributes/facts';
import { isCopy } from '../../blueprint/index-keys';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import { touchedBy } from '../../blueprint/updates';
import type { Addend, UpdatePattern } from '../../design/pattern';
import { shortList } from '../../design/show';
import { stepsOf } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atAccess, atEntity } from '../findings/place';
import type { PatternAccess } from '../table-under-check';

const causes = {
  'below-minimum':
    'an update subtracts from a number that has a minimum, without a condition that prevents lower values',
  'above-maximum': 'an update adds to a number that has a maximum, without a condition that prevents higher values',
  fraction: 'an update adds a fraction to a whole number (an error)',
  copied: 'an update copies one attribute to another, which does not accept every value of the first',
  refined: "an update changes an attribute, but the entity's schema compares attributes with each other",
} as const;

type Cause = keyof typeof causes;

/**
 * A maximum is considered unreachable if reaching it takes at least this many additions. Such a maximum only bounds
 * keys and types.
 */
const FAR = 1_000_000;

export const unacceptableItem: TableRule<'unacceptable-item', Cause> = {
  id: 'unacceptable-item',
  severity: 'warning',
  why: 'An update validates only the given values, not the resulting item, so it may leave an item that no read accepts.',
  causes,
  *check(table) {
    const refined = new Map<string, string[]>();
    for (const access of table.accesses) {
      if (access.step.op !== 'update') continue;
      const entity = entityNamed(table, access.entities[0] as string);
      if (entity === undefined) continue;
      yield* added(access, entity, access.step);
      yield* copied(access, entity, access.step);
      if (isRefined(entity.design.attributes) && touchedBy(access.step).length > 0) {
        refined.set(entity.name, [...(refined.get(entity.name) ?? []), access.pattern]);
      }
    }
    for (const [name, patterns] of refined) {
      const shown = shortList([...new Set(patterns)], 5);
      const message = `the schema of ${name} compares attributes with each other, but patterns that update individual attributes (${shown}) bypass this comparison`;
      const fix = 'put the whole item, or test the other attributes in a condition';
      yield { ...atEntity(name, 'attributes'), cause: 'refined', message, fix };
    }
  },
};

function* added(access: PatternAccess, { design }: EntityBlueprint, step: UpdatePattern): Iterable<Found<Cause>> {
  const amounts = [
    ...Object.entries(step.add ?? {}).map(([attribute, amount]) => ['add', attribute, amount] as const),
    ...Object.entries(step.subtract ?? {}).map(
      ([attribute, amount]) => ['subtract', attribute, negative(amount)] as const,
    ),
  ];
  for (const [field, attribute, amount] of amounts) {
    const facts = attributeAt(design.attributes, stepsOf(attribute));
    if (facts?.kind !== 'number') continue;
    const { minimum = -Infinity, maximum = Infinity, integer } = facts;
    const place = atAccess(access, field, attribute, typeof amount === 'number' ? { value: amount } : {});
    if (integer && typeof amount === 'number' && !Number.isInteger(amount)) {
      const message = `'${attribute}' is a whole number, but ${amount} is not, so no read accepts the item after the update`;
      yield { severity: 'error', ...place, cause: 'fraction', message, fix: 'add a whole number' };
      continue;
    }
    const [mayFall, mayRise] =
      typeof amount === 'number' ? [amount < 0, amount > 0] : [field === 'subtract', field === 'add'];
    const test = step.condition && Object.hasOwn(step.condition, attribute) ? step.condition[attribute] : undefined;
    // A condition on the number itself is assumed to keep it within its bounds.
    if (test !== undefined) continue;
    if (mayFall && minimum > Number.MIN_SAFE_INTEGER) {
      const least = typeof amount === 'number' ? String(minimum - amount) : `'${amount}'`;
      const message = `'${attribute}' has a minimum of ${minimum}, but no condition stops the update from going below it, and no read accepts a lower value`;
      // If the amount is unknown, a condition can protect the minimum only if the minimum is zero: the stored number
      // must then be at least as large as the amount.
      const isTold = typeof amount === 'number' || minimum === 0;
      const test = `{ ${attribute}: { atLeast: ${least} } }`;
      const lower = 'remove the minimum from the schema';
      const edits = step.condition === undefined &&
        isTold && { edits: [{ path: atAccess(access, 'condition').path, code: test }] };
      yield {
        ...place,
        cause: 'below-minimum',
        message,
        fix: isTold ? `add condition: ${test}, or ${lower}` : lower,
        ...edits,
      };
    } else if (mayRise && maximum < Number.MAX_SAFE_INTEGER) {
      const message = `'${attribute}' has a maximum of ${maximum}, but no condition stops the update from exceeding it, and no read accepts a higher value`;
      const raise = 'remove the maximum from the schema';
      const test = typeof amount === 'number' && `{ ${attribute}: { atMost: ${maximum - amount} } }`;
      const edits = test &&
        step.condition === undefined && { edits: [{ path: atAccess(access, 'condition').path, code: test }] };
      yield {
        ...place,
        // A counter that starts low takes years to reach its maximum.
        ...(typeof amount === 'number' && maximum / Math.abs(amount) >= FAR && { severity: 'note' as const }),
        cause: 'above-maximum',
        message,
        fix: test ? `add condition: ${test}, or ${raise}` : raise,
        ...edits,
      };
    }
  }
}

function* copied(
  access: PatternAccess,
  { design }: EntityBlueprint,
  { set = {} }: UpdatePattern,
): Iterable<Found<Cause>> {
  for (const [attribute, operand] of Object.entries(set)) {
    if (!isCopy(operand) || !('attribute' in operand)) continue;
    const [to, from] = [attribute, operand.attribute].map((path) => attributeAt(design.attributes, stepsOf(path)));
    if (to === undefined || from === undefined || to.kind === 'other' || from.kind === 'other') continue;
    const isOther =
      to.kind !== from.kind || (to.values !== undefined && !from.values?.every((value) => to.values?.includes(value)));
    if (!isOther) continue;
    const message = `'${attribute}' does not accept every value of '${operand.attribute}', so a read may refuse the updated item`;
    const fix = `set '${attribute}' from a parameter: '<${attribute}>', or let its schema accept every value of '${operand.attribute}'`;
    yield { ...atAccess(access, 'set', attribute), cause: 'copied', message, fix };
  }
}

function negative(amount: Addend): Addend {
  return typeof amount === 'number' ? -amount : amount;
}
