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

test("the transporte document's projection of parts of a map is found, part by part", () => {
  expect(found(['data.nombre', 'data.estado', 'updatedAt'])).toEqual([
    { path: 'indexes.GSI1.projection', cause: 'inside-map', attribute: 'data.nombre', proposed: 'data' },
    { path: 'indexes.GSI1.projection', cause: 'inside-map', attribute: 'data.estado', proposed: 'data' },
  ]);
});

test('the fix names the attribute that holds it, however deep it lies', () => {
  expect(found(['resources.driver.name'])).toMatchObject([
    { cause: 'inside-map', attribute: 'resources.driver.name', proposed: 'resources' },
  ]);
});

test('each index is looked at, and found under its own name', () => {
  expect(found('all', ['data.estado'], ['data']).map(({ path }) => path)).toEqual(['indexes.GSI2.projection']);
});

test.each(['all', 'keys', [], ['data', 'updatedAt'], undefined] as const)('%j is no part of a map', (projection) => {
  expect(found(projection)).toEqual([]);
});

test('a table without an index projects nothing', () => {
  expect(findings(nestedProjection, { ...projecting(), indexes: undefined })).toEqual([]);
});

test('the whole map is in the index of transporte', () => {
  expect(findings(nestedProjection, transporte.tables.TransporteApp)).toEqual([]);
});

test('it is an error, since nothing of it would ever be in the index', () => {
  expect(nestedProjection).toMatchObject({ id: 'nested-projection', severity: 'error' });
});
