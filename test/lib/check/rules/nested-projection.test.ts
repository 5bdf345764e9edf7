import { z } from 'zod';
import { nestedProjection } from '../../../../lib/check/rules/nested-projection';
import type { IndexDesign } from '../../../../lib/design/table';
import { transporte } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({
  id: z.string(),
  data: z.object({ nombre: z.string(), estado: z.string() }),
  updatedAt: z.string(),
});
const projecting = (...projections: IndexDesign['projection'][]) =>
  tableOf(
    { attributes, keys: { PK: '<id>', SK: '<id>' } },
    {
      indexes: Object.fromEntries(projections.map((projection, i) => [`GSI${i + 1}`, { partition: 'id', projection }])),
    },
  );
const found = (...projections: IndexDesign['projection'][]) => findings(nestedProjection, projecting(...projections));

test('reports each projected part of a map, as in the transporte document', () => {
  expect(found(['data.nombre', 'data.estado', 'updatedAt'])).toEqual([
    { path: 'indexes.GSI1.projection', cause: 'inside-map', attribute: 'data.nombre', proposed: 'data' },
    { path: 'indexes.GSI1.projection', cause: 'inside-map', attribute: 'data.estado', proposed: 'data' },
  ]);
});

test('proposes the top-level attribute for a projected part at any depth', () => {
  expect(found(['resources.driver.name'])).toMatchObject([
    { cause: 'inside-map', attribute: 'resources.driver.name', proposed: 'resources' },
  ]);
});

test('reports only the faulty index, at its own path', () => {
  expect(found('all', ['data.estado'], ['data']).map(({ path }) => path)).toEqual(['indexes.GSI2.projection']);
});

test.each(['all', 'keys', [], ['data', 'updatedAt'], undefined] as const)(
  'accepts the projection %j, which contains no part of a map',
  (projection) => {
    expect(found(projection)).toEqual([]);
  },
);

test('returns no findings for a table without indexes', () => {
  expect(findings(nestedProjection, { ...projecting(), indexes: undefined })).toEqual([]);
});

test('accepts the projection of a whole map', () => {
  expect(findings(nestedProjection, transporte.tables.TransporteApp)).toEqual([]);
});

test('reports an error rather than a warning, because the index would never contain the projected part', () => {
  expect(nestedProjection).toMatchObject({ id: 'nested-projection', severity: 'error' });
});
