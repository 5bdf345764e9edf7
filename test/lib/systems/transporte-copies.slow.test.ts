import { client } from '../../../lib/dynamodb/client';
import { transporte } from '../../../lib/systems';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { embedded } from '../../support/embedded';

const tables = embedded(transporte);
const app = client(transporteAppTable, tables.nameOf('TransporteApp'), tables.send);
const userId = 'ana';
const createdAt = '2024-01-14T20:00:00Z';
const now = { updatedAt: '2024-01-15T08:00:00Z' };
const inicio = '2024-01-15T08:00:00Z';
const ids = { userId, viajeId: 'v1', cartaId: 'c1' };
const trip = { id: 'v1', nombre: 'Viaje CDMX-GDL', estado: 'programado', fechaInicioProgramada: inicio };
const timbrado = {
  ...{ uuidFiscal: '12345678-1234-1234-1234-123456789012', fechaTimbrado: inicio },
  ...{ xmlGenerado: '<?xml version="1.0"?>', idCcp: 'CCP-1' },
};

beforeEach(async () => {
  await app.createUser({
    data: { id: userId, email: 'ana@flete.example', fullName: 'Ana', timezone: 'America/Mexico_City', createdAt },
    subscription: {
      ...{ planId: 'p', planName: 'Básico', status: 'active', expiresAt: '2025-01-01T00:00:00Z' },
      limits: { conductores: 1, vehiculos: 1, cartasPorteMes: 1 },
    },
    credits: { balance: 0, monthlyUsed: 0, totalConsumed: 0 },
  });
  await app.createDriver({ userId, data: { id: 'd1', nombre: 'Pedro', estado: 'disponible' }, createdAt });
  await app.createVehicle({ userId, data: { id: 'm1', placa: 'ABC-123', estado: 'disponible' }, createdAt });
  await app.createTripWithWaybill({
    ...{ userId, data: { ...trip, origen: 'México', destino: 'Guadalajara' }, createdAt, updatedAt: createdAt },
    fiscal: { cartaPorteId: 'c1', cartaPorteStatus: 'borrador' },
    carta: {
      ...{ userId, viajeId: 'v1', createdAt, updatedAt: createdAt },
      data: { id: 'c1', versionCartaPorte: '3.1', status: 'borrador', transporteInternacional: false },
    },
  });
});

const fiscalOf = async () => (await app.getTrip(ids))?.fiscal;
const waybillOf = async () => (await app.waybillOfTrip(ids)).items.map(({ data, estado }) => [data.status, estado]);

test('number and state of the waybill are in the trip as they are in the waybill, stamped and cancelled', async () => {
  await app.stampWaybillOfTrip({ ...ids, folio: 'CP-000001', timbrado, ...now });
  expect(await fiscalOf()).toEqual({
    ...{ cartaPorteId: 'c1', cartaPorteFolio: 'CP-000001', cartaPorteStatus: 'timbrada' },
  });
  expect(await waybillOf()).toEqual([['timbrada', 'timbrada']]);
  await app.cancelWaybillOfTrip({ ...ids, ...now });
  expect(await fiscalOf()).toMatchObject({ cartaPorteFolio: 'CP-000001', cartaPorteStatus: 'cancelada' });
  expect(await waybillOf()).toEqual([['cancelada', 'cancelada']]);
});

test('the waybill of a trip does not change without the trip', async () => {
  await expect(app.stampWaybill({ ...ids, folio: 'CP-000001', timbrado, ...now })).rejects.toThrow();
  await expect(app.cancelWaybill({ ...ids, ...now })).rejects.toThrow();
  expect([await fiscalOf(), await waybillOf()]).toEqual([
    { cartaPorteId: 'c1', cartaPorteStatus: 'borrador' },
    [['borrador', undefined]],
  ]);
});

test('driver and plate are in the trip as they were when they were assigned, and as they are in tripResources', async () => {
  const resources = { conductorId: 'd1', conductorNombre: 'Pedro', vehiculoId: 'm1', vehiculoPlaca: 'ABC-123' };
  await app.assignResources({ ...ids, resources, ...now });
  await app.editDriver({ userId, conductorId: 'd1', nombre: 'Pedro López', ...now });
  await app.editVehicle({ userId, vehiculoId: 'm1', placa: 'XYZ-999', ...now });
  expect((await app.getTrip(ids))?.resources).toEqual(resources);
  const { items } = await app.tripResources({ userId, conductorId: 'd1', vehiculoId: 'm1' });
  expect(items.map(({ data }) => ('nombre' in data ? data.nombre : data.placa)).toSorted()).toEqual([
    'Pedro López',
    'XYZ-999',
  ]);
});

test('what the index of states shows is as the item is, from one state to the next', async () => {
  await app.startTrip({ ...ids, fechaInicioProgramada: inicio, ...now });
  await app.editDriver({ userId, conductorId: 'd1', nombre: 'Pedro López', ...now });
  const day = { estado: 'en_curso', fechaInicio: '2024-01-15' };
  expect((await app.tripsByStatus(day)).items).toEqual([
    { entityType: 'VIAJE', userId, id: 'v1', nombre: 'Viaje CDMX-GDL', estado: 'en_curso', ...now },
  ]);
  expect((await app.availableDrivers({})).items).toEqual([
    { entityType: 'CONDUCTOR', userId, id: 'd1', nombre: 'Pedro López', estado: 'disponible', ...now },
  ]);
  await app.finishTrip({ ...ids, ...now });
  await app.setDriverState({ userId, conductorId: 'd1', estado: 'vacaciones', ...now });
  expect([(await app.tripsByStatus(day)).items, (await app.availableDrivers({})).items]).toEqual([[], []]);
  expect((await app.getTrip(ids))?.data.estado).toBe('completado');
});

test('every limit of the plan holds: the second driver, vehicle and waybill are refused, and a larger plan takes them', async () => {
  const more = [
    () => app.createDriver({ userId, data: { id: 'd2', nombre: 'Eva', estado: 'disponible' }, createdAt }),
    () => app.createVehicle({ userId, data: { id: 'm2', estado: 'disponible' }, createdAt }),
    () =>
      app.draftWaybill({
        ...{ userId, createdAt },
        data: { id: 'c2', versionCartaPorte: '3.1', status: 'borrador', transporteInternacional: false },
      }),
  ];
  for (const one of more) await expect(one()).rejects.toThrow();
  const { subscription } = (await app.getProfile({ userId })) ?? {};
  const limits = { conductores: 2, vehiculos: 2, cartasPorteMes: 2 };
  await app.changePlan({ userId, subscription: { ...(subscription as NonNullable<typeof subscription>), limits } });
  for (const one of more) await one();
  const { conductores, vehiculos, credits } = (await app.getProfile({ userId })) ?? {};
  expect([conductores, vehiculos, credits?.monthlyUsed]).toEqual([2, 2, 2]);
});
