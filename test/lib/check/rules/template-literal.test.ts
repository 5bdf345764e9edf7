import { z } from 'zod';
import { templateLiteral } from '../../../../lib/check/rules/template-literal';
import { findings, orders, tableOf } from '../../../fixtures/designs';

const found = (PK: string, asked: string) =>
  findings(
    templateLiteral,
    tableOf(
      { attributes: z.object({ id: z.string() }), keys: { PK, SK: 'X' } },
      { patterns: { one: { op: 'get', where: { PK: asked, SK: 'X' }, returns: ['Thing'] } } },
    ),
  );

// Users write JavaScript placeholders out of habit, with or without the backticks.
const mistaken = ['USER#$', '{id}'].join('');

describe('a template', () => {
  test('reports a JavaScript placeholder in a key template', () => {
    expect(found(mistaken, 'USER#<id>')).toEqual([
      { path: 'entities.Thing.keys.PK', cause: 'dollar-braces', proposed: 'USER#<id>' },
    ]);
  });

  test("reports a JavaScript placeholder in a pattern's template", () => {
    expect(found('USER#<id>', mistaken).map(({ path }) => path)).toEqual(['patterns.one.where.PK']);
  });

  test('accepts a dollar sign in a template', () => {
    expect(found('USD$#<id>', 'USD$#<id>')).toEqual([]);
    expect(findings(templateLiteral, orders)).toEqual([]);
  });
});
