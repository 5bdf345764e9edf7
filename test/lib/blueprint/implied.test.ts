import { z } from 'zod';
import { answerTo, type ComparedTo, type Question, questionsAbout, UNKNOWN } from '../../../lib/blueprint/implied';
import { indexKeys } from '../../../lib/blueprint/index-keys';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import type { Condition } from '../../../lib/design/pattern';
import { tableOf } from '../../fixtures/designs';

const table = outline(
  tableOf(
    {
      attributes: z.object({
        id: z.string(),
        status: z.enum(['open', 'pending', 'done']),
        text: z.string(),
        paid: z.boolean(),
        agent: z.string().optional(),
        owner: z.string().nullable(),
        place: z.object({ city: z.string() }).optional(),
      }),
      keys: { PK: '<id>', SK: 'A', G: '<agent>', H: '<owner>', P: '<place.city>' },
      indexes: {
        byStatus: { while: { status: ['open', 'pending'] } },
        byText: { while: { text: ['a', 'b'] } },
        byPaid: { while: { paid: [true] } },
      },
    },
    {
      indexes: {
        byStatus: { partition: 'G' },
        byText: { partition: 'H' },
        byPaid: { partition: 'P' },
      },
    },
  ),
);
const thing = entityNamed(table, 'Thing') as EntityOutline;
const asked = questionsAbout(thing.schema, indexKeys(table, thing));

/** Treats every parameter as unknown, and `<gone?>` as omitted. */
const comparedTo: ComparedTo = (_, __, operand) => {
  if (operand === '<gone?>') return undefined;
  return typeof operand === 'object' && operand !== null ? UNKNOWN : `${operand}`.startsWith('<') ? UNKNOWN : operand;
};

function answer(name: string, condition: Condition): boolean | undefined {
  const question = [...asked].find(([about]) => about.name === name)?.[1] as Question;
  return answerTo(question, condition, comparedTo);
}

describe('whether a condition implies the value of an attribute', () => {
  test.each<[Condition, boolean | undefined]>([
    [{}, undefined],
    [{ status: 'open' }, true],
    [{ status: 'done' }, false],
    [{ status: '<status>' }, undefined],
    [{ status: '<gone?>' }, undefined],
    [{ status: { in: ['open', 'pending'] } }, true],
    [{ status: { in: ['open', 'done'] } }, undefined],
    [{ status: { in: ['done'] } }, false],
    [{ status: { in: ['<status>'] } }, undefined],
    [{ status: { not: 'done' } }, true],
    [{ status: { not: 'open' } }, undefined],
    [{ status: { exists: false } }, false],
    [{ status: { attribute: 'text' } }, undefined],
    [{ any: [{ status: 'open' }, { text: 'x' }] }, undefined],
  ])('tells whether %j implies that an enum has one of the given values: %s', (condition, told) => {
    expect(answer('status', condition)).toBe(told);
  });

  test.each<[Condition, boolean | undefined]>([
    [{ text: 'a' }, true],
    [{ text: 'x' }, false],
    [{ text: { in: ['a', 'b'] } }, true],
    [{ text: { in: ['a', 'x'] } }, undefined],
    [{ text: { not: 'x' } }, undefined],
    [{ text: { beginsWith: 'a' } }, undefined],
  ])('tells whether %j implies that a string has one of the given values: %s', (condition, told) => {
    expect(answer('text', condition)).toBe(told);
  });

  test('a condition that excludes one boolean value implies the opposite value', () => {
    expect(answer('paid', { paid: true })).toBe(true);
    expect(answer('paid', { paid: { not: true } })).toBe(false);
  });
});

describe('whether a condition implies that an attribute is present', () => {
  test.each<[string, Condition, boolean | undefined]>([
    ['agent', {}, undefined],
    ['agent', { agent: { exists: true } }, true],
    ['agent', { agent: { exists: false } }, false],
    ['agent', { agent: '<agent>' }, true],
    ['agent', { agent: '<gone?>' }, undefined],
    ['agent', { agent: { atLeast: 'a' } }, true],
    ['agent', { agent: { not: 'a' } }, undefined],
    ['agent', { any: [{ agent: 'a' }, { text: 'b' }] }, undefined],
    ['owner', { owner: { exists: true } }, undefined],
    ['owner', { owner: 'o' }, true],
    ['place.city', { 'place.city': { exists: true } }, true],
    ['place.city', { 'place.city': { exists: false } }, false],
    ['place.city', { 'place.city': 'Lima' }, true],
  ])('tells whether %s must be present if %j holds: %s', (name, condition, told) => {
    expect(answer(name, condition)).toBe(told);
  });
});
