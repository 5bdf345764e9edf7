import { client } from '../../../lib/dynamodb/client';
import { transporte } from '../../../lib/systems';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { embedded } from '../../support/embedded';

const tables = embedded(transporte);
const app = client(transporteAppTable, tables.nameOf('TransporteApp'), tables.send);
const userId = 'ana';
const createdAt = '2024-01-14T20:00:00Z';
const inicio = '2024-01-15T08:00:00Z';
const now = { updatedAt: inicio };
const timbrado = {
  ...{ uuidFiscal: '12345678-1234-1234-1234-123456789012', fechaTimbrado: inicio },
  ...{ xmlGenerado: '<?xml version="1.0"?>', idCcp: 'CCP-1' },
};

/** Whether a write is done or refused: of those that are refused, nothing is changed. */
const outcomeOf = (write: Promise<unknown>) =>
  write.then(
    () => 'done',
    (error: Error) => error.name.replace(/Exception$/, ''),
  );

const createUser = (limits = { conductores: 9, vehiculos: 9, cartasPorteMes: 99 }) =>
  app.createUser({
    data: { id: userId, email: 'ana@flete.example', fullName: 'Ana', timezone: 'America/Mexico_City', createdAt },
    subscription: { planId: 'p', planName: 'Básico', status: 'active', expiresAt: '2025-01-01T00:00:00Z', limits },
    credits: { balance: 0, monthlyUsed: 0, totalConsumed: 0 },
  });

describe('what can be done with a trip follows from its state', () => {
  const tripIn = async (estado: string) => {
    const data = { id: 'v1', nombre: 'Viaje', estado, fechaInicioProgramada: inicio, origen: 'A', destino: 'B' };
    await app.scheduleTrip({ userId, data, createdAt });
    return { userId, viajeId: 'v1', ...now };
  };
  const tracking = { ubicacionActual: { lat: 20.1, lng: -101.2 }, ultimaActualizacion: inicio };
  const writes = {
    reschedule: (trip: Awaited<ReturnType<typeof tripIn>>) =>
      app.rescheduleTrip({ ...trip, fechaInicioProgramada: '2024-02-01T08:00:00Z' }),
    edit: (trip: Awaited<ReturnType<typeof tripIn>>) => app.editTrip({ ...trip, nombre: 'Otro' }),
    assign: (trip: Awaited<ReturnType<typeof tripIn>>) => app.assignResources({ ...trip, resources: {} }),
    start: (trip: Awaited<ReturnType<typeof tripIn>>) => app.startTrip({ ...trip, fechaInicioProgramada: inicio }),
    locate: (trip: Awaited<ReturnType<typeof tripIn>>) => app.locateTrip({ ...trip, tracking }),
    finish: (trip: Awaited<ReturnType<typeof tripIn>>) => app.finishTrip(trip),
    cancel: (trip: Awaited<ReturnType<typeof tripIn>>) => app.cancelTrip(trip),
  };
  const allowed: Readonly<Record<string, string>> = {
    programado: 'reschedule edit assign start cancel',
    en_curso: 'locate finish cancel',
    completado: '',
    cancelado: '',
    // One that the document does not show.
    demorado: '',
  };

  test.each(
    Object.entries(allowed).flatMap(([state, names]) => Object.keys(writes).map((name) => [state, name, names])),
  )('%s: %s', async (state = '', name = '', names = '') => {
    const trip = await tripIn(state);
    const outcome = await outcomeOf(writes[name as keyof typeof writes](trip));
    expect(outcome).toBe(names.split(' ').includes(name) ? 'done' : 'ConditionalCheckFailed');
  });
});

describe('what can be done with a waybill follows from its state, and that of a trip changes with it', () => {
  const drafted = { versionCartaPorte: '3.1', transporteInternacional: false };
  const alone = async (status: string) => {
    await app.draftWaybill({ userId, data: { ...drafted, id: 'c1', status }, createdAt });
    return { userId, cartaId: 'c1', ...now };
  };
  const ofTrip = async (status: string) => {
    await app.createTripWithWaybill({
      ...{ userId, createdAt, updatedAt: createdAt, fiscal: { cartaPorteId: 'c1', cartaPorteStatus: status } },
      data: { id: 'v1', nombre: 'Viaje', fechaInicioProgramada: inicio, origen: 'A', destino: 'B' },
      carta: { userId, viajeId: 'v1', data: { ...drafted, id: 'c1', status }, createdAt, updatedAt: createdAt },
    });
    return { userId, cartaId: 'c1', viajeId: 'v1', ...now };
  };
  beforeEach(() => createUser());

  test.each([
    ['borrador', 'done', 'done'],
    ['timbrada', 'refused', 'done'],
    ['cancelada', 'refused', 'refused'],
    // One that the document does not show is no draft, and can be cancelled.
    ['en_revision', 'refused', 'done'],
  ])('%s: to stamp it is %s, and to cancel it %s', async (status, stamped, cancelled) => {
    const told = (outcome: string) => (outcome === 'done' ? outcome : 'refused');
    const stamp = { folio: 'CP-000001', timbrado };
    const waybill = await alone(status);
    // What can be stamped can be completed before.
    expect(told(await outcomeOf(app.editWaybill({ ...waybill, mercancias: [] })))).toBe(stamped);
    expect(told(await outcomeOf(app.stampWaybill({ ...waybill, ...stamp })))).toBe(stamped);
    await tables.send('Delete', { TableName: tables.nameOf('TransporteApp'), Key: { PK: 'USER#ana', SK: 'CARTA#c1' } });
    expect(told(await outcomeOf(app.cancelWaybill(await alone(status))))).toBe(cancelled);
    for (const [write, expected] of [
      [(one: Awaited<ReturnType<typeof ofTrip>>) => app.stampWaybillOfTrip({ ...one, ...stamp }), stamped],
      [(one: Awaited<ReturnType<typeof ofTrip>>) => app.cancelWaybillOfTrip(one), cancelled],
    ] as const) {
      for (const SK of ['CARTA#c1', 'VIAJE#v1'])
        await tables.send('Delete', { TableName: tables.nameOf('TransporteApp'), Key: { PK: 'USER#ana', SK } });
      expect(told(await outcomeOf(write(await ofTrip(status))))).toBe(expected);
    }
  });
});

test('states that the document does not show are set, stored and read, of whatever has one', async () => {
  await createUser();
  await app.createDriver({ userId, data: { id: 'd1', nombre: 'Eva', estado: 'en_capacitación' }, createdAt });
  await app.createVehicle({ userId, data: { id: 'm1', estado: 'en_revisión' }, createdAt });
  await app.createTrailer({ userId, data: { id: 'r1', estado: 'prestado' }, createdAt });
  const states = async () => [
    ...(await app.driversOfUser({ userId })).items.map(({ data, estado }) => [data.estado, estado]),
    ...(await app.vehiclesOfUser({ userId })).items.map(({ data, estado }) => [data.estado, estado]),
    ...(await app.trailersOfUser({ userId })).items.map(({ data, estado }) => [data.estado, estado]),
  ];
  expect(await states()).toEqual([
    ['en_capacitación', 'en_capacitación'],
    ['en_revisión', 'en_revisión'],
    ['prestado', 'prestado'],
  ]);
  await app.setDriverState({ userId, conductorId: 'd1', estado: 'vacaciones', ...now });
  await app.setVehicleState({ userId, vehiculoId: 'm1', estado: 'embargado', ...now });
  await app.setTrailerState({ userId, remolqueId: 'r1', estado: 'vendido', ...now });
  expect(await states()).toEqual([
    ['vacaciones', 'vacaciones'],
    ['embargado', 'embargado'],
    ['vendido', 'vendido'],
  ]);
});

test('no count falls below 0: what was never counted is not subtracted', async () => {
  await createUser();
  await app.createDriver({ userId, data: { id: 'd1', nombre: 'Eva', estado: 'disponible' }, createdAt });
  await app.createVehicle({ userId, data: { id: 'm1', estado: 'disponible' }, createdAt });
  await app.deleteDriver({ userId, conductorId: 'd1' });
  await app.deleteVehicle({ userId, vehiculoId: 'm1' });
  // Left behind by an older program.
  const Item = { data: { id: 'x', nombre: 'Eva', estado: 'disponible' }, createdAt, updatedAt: createdAt };
  for (const [kind, entityType] of [
    ['CONDUCTOR', 'CONDUCTOR'],
    ['VEHICULO', 'VEHICULO'],
  ]) {
    const item = { PK: 'USER#ana', SK: `${kind}#x`, entityType, ...Item };
    await tables.send('Put', { TableName: tables.nameOf('TransporteApp'), Item: item });
  }
  expect(await outcomeOf(app.deleteDriver({ userId, conductorId: 'x' }))).toBe('TransactionCanceled');
  expect(await outcomeOf(app.deleteVehicle({ userId, vehiculoId: 'x' }))).toBe('TransactionCanceled');
  const { conductores, vehiculos } = (await app.getProfile({ userId })) ?? {};
  expect([conductores, vehiculos]).toEqual([0, 0]);
});
