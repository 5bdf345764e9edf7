import { hasSteps, isRead } from '../../../lib/blueprint/accesses';
import { blueprint } from '../../../lib/blueprint/table';
import type { PatternDesign, UpdatePattern, Write } from '../../../lib/design/pattern';
import { entities, requests } from '../../../lib/dynamodb';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { items } from '../../../lib/systems/transporte/items';

const patterns = requests(transporteAppTable, 'TransporteApp');
const { item } = entities(transporteAppTable, 'TransporteApp');
const trip = items.abc[1];
const waybill = items.waybillOfAna[1];

test('a trip may have any state, and is in GSI1 only while it is under way', () => {
  const stored = (estado: string) => item('Viaje', { ...trip, data: { ...trip.data, estado } });
  expect(stored('en_curso')).toMatchObject({ GSI1PK: 'STATUS#en_curso', GSI1SK: '2024-01-15#VIAJE#abc' });
  for (const estado of ['programado', 'completado', 'cancelado', 'demorado']) {
    expect(stored(estado)).toMatchObject({ data: { estado }, GSI2PK: 'DATE#2024-01-15' });
    expect(Object.keys(stored(estado)).filter((name) => name.startsWith('GSI1'))).toEqual([]);
  }
});

test('createTripWithWaybill puts a trip that is already under way into GSI1, with its name and state', () => {
  const { nombre: __, estado: ___, ...given } = trip;
  const made = patterns.createTripWithWaybill({ ...given, carta: waybill }).TransactItems[0]?.Put?.Item;
  const copies = { nombre: 'Viaje CDMX-GDL', estado: 'en_curso' };
  expect(made).toMatchObject({ ...copies, data: given.data, GSI1PK: 'STATUS#en_curso' });
  // A new trip may have no state.
  const { estado: ____, ...data } = given.data;
  const stateless = patterns.createTripWithWaybill({ ...given, data, carta: waybill }).TransactItems[0]?.Put?.Item;
  expect(Object.keys(stateless ?? {}).filter((name) => name === 'estado' || name.startsWith('GSI1'))).toEqual([]);
});

test('a driver or a waybill can have a state that the document does not list', () => {
  const { data, ...driver } = items.driver456[1];
  expect(item('Conductor', { ...driver, data: { ...data, estado: 'vacaciones' } }).GSI1PK).toBe('STATUS#vacaciones');
  expect(item('CartaPorte', { ...waybill, data: { ...waybill.data, status: 'en_revision' } }).GSI1PK).toBe(
    'STATUS#en_revision',
  );
});

test('the index across users projects no map, because a map could contain personal data', () => {
  const [byStatus] = blueprint(transporteAppTable).indexes;
  expect(byStatus?.projection).toEqual(['entityType', 'nombre', 'estado', 'updatedAt']);
  expect(transporteAppTable.indexes[byStatus?.name as 'GSI1'].purpose).toContain('GSI-Status');
});

test("createTripWithWaybill charges the profile of the trip's user, and requires the waybill's user to be the same", () => {
  const { nombre: __, estado: ___, ...given } = trip;
  const made = patterns.createTripWithWaybill({ ...given, carta: { ...waybill, userId: 'another' } });
  const { Update: charged } = made.TransactItems[2] ?? {};
  expect(charged?.Key).toEqual({ PK: `USER#${given.userId}`, SK: 'PROFILE#metadata' });
  const {
    ConditionExpression: condition = '',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: held,
  } = charged ?? {};
  const value = Object.entries(held ?? {}).find(([, one]) => one === 'another')?.[0];
  const [data, id] = ['data', 'id'].map((name) => Object.entries(names ?? {}).find(([, one]) => one === name)?.[0]);
  expect(condition).toContain(`${data}.${id} = ${value}`);
});

describe('copies of nested attributes', () => {
  /** Each row names an entity, a nested attribute, and its top-level copy for GSI1. */
  const copies = [
    ['Viaje', 'data.estado', 'estado'],
    ['Viaje', 'data.nombre', 'nombre'],
    ['Conductor', 'data.estado', 'estado'],
    ['Conductor', 'data.nombre', 'nombre'],
    ['CartaPorte', 'data.status', 'estado'],
  ] as const;
  const writes = Object.entries(transporteAppTable.patterns as Readonly<Record<string, PatternDesign>>).flatMap(
    ([name, pattern]) => {
      if (isRead(pattern)) return [];
      const steps = (hasSteps(pattern) ? Object.values(pattern.steps) : [pattern]) as readonly Write[];
      return steps.map((step) => ({ name, step, others: steps.filter((one) => one !== step) }));
    },
  );

  test.each(copies)('every write to %s that sets %s also sets the copy %s', (entity, source, copy) => {
    const setting = writes.flatMap(({ step }) =>
      step.op === 'update' && step.entity === entity && step.set?.[source] !== undefined ? [step.set] : [],
    );
    for (const set of setting) expect(set[copy]).toEqual(set[source]);
  });

  test.each(copies)('every write that creates %s copies %s to %s', (entity, source, copy) => {
    // When a waybill is created together with its trip, the caller passes the whole waybill, so the step has no `item`.
    const made = writes.flatMap(({ step }) =>
      step.op === 'put' && step.entity === entity ? [step.item ?? []].flat() : [],
    );
    expect(made.length).toBeGreaterThan(0);
    for (const item of made)
      expect([`<${source}>`, `<${source}?>`]).toContain((item as Readonly<Record<string, unknown>>)[copy]);
  });

  test("setWaybillStatusOfTrip copies the waybill's state and number to the trip", () => {
    const changing = writes.filter(
      ({ step }) => step.op === 'update' && step.entity === 'CartaPorte' && step.set?.['data.status'] !== undefined,
    );
    expect(changing.map(({ name }) => name)).toEqual(['setWaybillStatus', 'setWaybillStatusOfTrip']);
    for (const { step, others } of changing as readonly { step: UpdatePattern; others: readonly Write[] }[]) {
      const ofTrip = others.find(({ entity }) => entity === 'Viaje') as UpdatePattern | undefined;
      if (ofTrip === undefined) continue;
      expect(ofTrip.set?.['fiscal.cartaPorteStatus']).toBe(step.set?.['data.status']);
      expect(ofTrip.set?.['fiscal.cartaPorteFolio']).toBe(step.set?.['data.folio']);
    }
  });
});
