import { z } from 'zod';
import { duplicateName } from '../../../../lib/check/rules/duplicate-name';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, orders } from '../../../fixtures/designs';

const projecting = (...projection: readonly string[]): TableDesign => ({
  ...orders,
  indexes: { ...orders.indexes, byEmail: { partition: 'email', projection } },
});

describe('a projection', () => {
  test('rejects a projection that lists an attribute twice', () => {
    expect(findings(duplicateName, projecting('total', 'kind', 'total'))).toEqual([
      { path: 'indexes.byEmail.projection', cause: 'projected', attributes: ['total'] },
    ]);
    expect(findings(duplicateName, projecting('total', 'kind'))).toEqual([]);
  });
});

describe('a type', () => {
  const typed = (
    types: Record<string, string | undefined>,
    typeAttribute: string | undefined = 'kind',
  ): TableDesign => ({
    name: 'things',
    key: { partition: 'id' },
    typeAttribute,
    entities: Object.fromEntries(
      Object.entries(types).map(([name, type]) => [name, { attributes: z.object({ id: z.string() }), type }]),
    ),
  });

  test('rejects two entities with the same type', () => {
    expect(findings(duplicateName, typed({ A: 'X', B: 'X', C: 'Y' }))).toEqual([
      { path: 'entities.B.type', cause: 'type', entities: ['A'], proposed: 'B' },
    ]);
    expect(findings(duplicateName, typed({ A: 'B', B: undefined })).map(({ path }) => path)).toEqual([
      'entities.A.type',
    ]);
    expect(findings(duplicateName, typed({ A: undefined, B: undefined }))).toEqual([]);
  });

  test('accepts two entities with the same type if the table stores no type', () => {
    const { typeAttribute: _, ...untyped } = typed({ A: 'X', B: 'X' });
    expect(findings(duplicateName, untyped)).toEqual([]);
  });
});
