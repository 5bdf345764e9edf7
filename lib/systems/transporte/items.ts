import type { EntityValues } from '../../design/infer';
import type { transporteAppTable } from './design';

type Table = typeof transporteAppTable;
type Sample<E extends keyof Table['entities']> = readonly [E, EntityValues<Table, E>];
type TripData = EntityValues<Table, 'Viaje'>['data'];
type WaybillData = EntityValues<Table, 'CartaPorte'>['data'];
type DriverData = EntityValues<Table, 'Conductor'>['data'];

export const EARLY = { createdAt: '2024-01-10T20:00:00Z', updatedAt: '2024-01-12T12:00:00Z' };
const LATE = { createdAt: '2024-01-11T20:00:00Z', updatedAt: '2024-01-13T12:00:00Z' };
/** A time in the future, because an engine may delete expired items, and the time in the document has passed. */
export const IN_2100 = 4_102_444_800;

export function trip(userId: string, id: string, inicio: string, more: Partial<TripData> = {}, times = EARLY) {
  const data = {
    id,
    nombre: 'Viaje CDMX-GDL',
    fechaInicioProgramada: inicio,
    fechaFinProgramada: '2024-03-01T18:00:00Z',
    origen: 'Ciudad de México',
    destino: 'Guadalajara',
    ...more,
  };
  // A trip that was never under way may lack the copies for GSI1.
  const copies = data.estado === 'en_curso' ? { nombre: data.nombre, estado: data.estado } : {};
  return ['Viaje', { userId, id, ...copies, data, ...times }] as const satisfies Sample<'Viaje'>;
}

/** Returns a copy of an example item, with some values changed. */
export const after = <E extends string, V extends { readonly data: object }>(
  [entity, values]: readonly [E, V],
  data: object,
  more: object = {},
): readonly [E, object] => [entity, { ...values, data: { ...values.data, ...data }, ...more }];

export function waybill(
  userId: string,
  id: string,
  { viajeId, ...more }: Partial<WaybillData> & { viajeId?: string } = {},
  times = EARLY,
) {
  const data = {
    id,
    versionCartaPorte: '3.1',
    status: 'timbrada',
    transporteInternacional: false,
    ...more,
  } as const;
  const ofTrip = viajeId === undefined ? {} : { viajeId };
  return [
    'CartaPorte',
    { userId, id, estado: data.status, ...ofTrip, data, ...times },
  ] as const satisfies Sample<'CartaPorte'>;
}

export function profile(id: string, monthlyUsed: number) {
  const data = {
    id,
    email: `${id}@example.com`,
    fullName: 'Ana Ruiz',
    timezone: 'America/Tijuana',
    createdAt: '2024-01-02T00:00:00Z',
  };
  const subscription = {
    planId: 'plan-uuid',
    planName: 'Básico',
    status: 'active',
    expiresAt: '2025-01-02T00:00:00Z',
    limits: { conductores: 4, vehiculos: 3, cartasPorteMes: 30 },
  };
  const credits = { balance: 5, monthlyUsed, totalConsumed: 60 };
  return ['User', { data, subscription, credits }] as const satisfies Sample<'User'>;
}

export const driver = (userId: string, id: string, more: Partial<DriverData> = {}, times = EARLY) =>
  [
    'Conductor',
    {
      ...{ userId, id, nombre: more.nombre ?? 'Eva Díaz', estado: more.estado ?? 'disponible' },
      ...{ data: { id, nombre: 'Eva Díaz', estado: 'disponible', ...more }, ...times },
    },
  ] as const satisfies Sample<'Conductor'>;

export const unit = <E extends 'Vehiculo' | 'Remolque'>(entity: E, userId: string, id: string) =>
  [entity, { userId, id, data: { id, estado: 'disponible', placa: `${userId}-${id}` }, ...EARLY }] as const;

export const session = (userId: string, sessionId: string, ttl: number) =>
  ['Session', { userId, sessionId, ttl }] as const;

export const location = (cartaId: string, orden: number) =>
  ['Ubicacion', { cartaId, orden, tipo: 'Destino', idUbicacion: 'DE000002' }] as const;

export const goods = (cartaId: string, id: string) =>
  ['Mercancia', { cartaId, id, descripcion: 'Mercancía general' }] as const;

/** The ids of the trips that fill Ana's first page. */
export const numbered = Array.from({ length: 15 }, (_, i) => `n${String(i + 1).padStart(2, '0')}`);

const numberedTrips = Object.fromEntries(
  numbered.map((id) => [id, trip('123', id, '2024-02-01T08:00:00Z', { estado: 'programado' })]),
);

const north = { nombre: 'Viaje MTY-TIJ', origen: 'Monterrey', destino: 'Tijuana' };
const running = { estado: 'en_curso' } as const;

/**
 * Ana is user 123, as in the diagram, and Bea's id begins with Ana's id. In each result, the item that sorts first by
 * key would sort last by any attribute that is not in the key. A key built from the wrong attributes would therefore
 * give a different order. Some items sort before the document's own items, and some after.
 */
export const items = {
  ana: profile('123', 29),
  bea: profile('1234', 30),

  carl: profile('12', 3),

  abc: trip('123', 'abc', '2024-01-15T08:00:00Z', running),
  abcd: trip('123', 'abcd', '2024-01-14T23:59:59Z', running),
  def: trip('123', 'def', '2024-01-15T10:00:00Z', { estado: 'programado' }),
  finished: trip('123', 'efg', '2024-01-15T07:00:00Z', { estado: 'completado' }),
  // The first trip has a state that the document does not show, and the second trip has no state.
  delayed: trip('123', 'fgh', '2024-01-18T07:00:00Z', { estado: 'demorado' }),
  stateless: trip('123', 'ggg', '2024-01-18T07:00:00Z'),
  dayAfter: trip('123', 'ghi', '2024-01-16T00:00:00Z', running),
  last: trip('123', 'viaje-v', '2024-01-15T06:00:00Z', running),
  ...numberedTrips,
  abbOfBea: trip('1234', 'abb', '2024-01-15T09:00:00Z', { ...running, ...north }, LATE),
  abcOfBea: trip('1234', 'abc', '2024-01-16T09:00:00Z', { estado: 'programado', ...north }, LATE),

  driver456: driver('123', '456'),
  driver4567: driver('123', '4567', { estado: 'en_viaje' }),
  driverZ: driver('123', 'conductor-z'),
  driverOfBea: driver('1234', '455', { nombre: 'Zoé Gil' }, LATE),

  driverOfCarl: driver('12', 'd1'),

  vehicle788: unit('Vehiculo', '123', '788'),
  trailer320: unit('Remolque', '123', '320'),
  vehicle789: unit('Vehiculo', '123', '789'),
  vehicle7890: unit('Vehiculo', '123', '7890'),
  vehicleOfBea: unit('Vehiculo', '1234', '789'),
  trailer: unit('Remolque', '123', '321'),
  trailerOfBea: unit('Remolque', '1234', '321'),

  // Each user numbers their own waybills, so several waybills have the same folio. Subcontractors issue their own
  // waybills for the same trip, so a trip can have several waybills.
  withFiscal: [
    'Viaje',
    {
      ...trip('123', 'hij', '2024-01-19T07:00:00Z', { estado: 'programado' })[1],
      fiscal: { cartaPorteId: 'carta-h', cartaPorteStatus: 'borrador' },
    },
  ] as const,
  draftOfTrip: waybill('123', 'carta-h', { viajeId: 'hij', status: 'borrador' }),
  // A second waybill for the same trip, and a trip with a waybill that does not refer back to it.
  draftOfWithFiscal: waybill('123', 'carta-j', { viajeId: 'hij', status: 'borrador' }),
  lost: [
    'Viaje',
    {
      ...trip('123', 'ijk', '2024-01-19T07:00:00Z', { estado: 'programado' })[1],
      fiscal: { cartaPorteId: 'xyz', cartaPorteStatus: 'borrador' },
    },
  ] as const,
  draft: waybill('123', 'xyz', { status: 'borrador' }, { ...EARLY, createdAt: '2024-01-15T09:00:00Z' }),
  waybillOfCarl: waybill('12', 'carta-k', { status: 'borrador' }),
  waybillOfBea: waybill('1234', 'carta-a', { folio: 'CP-000015', viajeId: 'viaje-uuid' }, LATE),
  waybillOfAna: waybill('123', 'carta-b', { folio: 'CP-000015', viajeId: 'viaje-uuid' }),
  waybillZ: waybill('123', 'carta-z', { folio: 'CP-000015', viajeId: 'viaje-uuid' }),
  cancelled: waybill('uuid', 'carta-c', { folio: 'CP-000014', viajeId: 'viaje-uuid', status: 'cancelada' }),
  longerFolio: waybill('uuid', 'carta-v', { folio: 'CP-0000150', viajeId: 'viaje-uuid-2' }),

  location01: location('xyz', 1),
  location10: location('xyz', 10),
  goodsM0: goods('xyz', 'm0'),
  goodsM2: goods('xyz', 'm2'),
  locationOfOther: location('xyz2', 2),
  goodsOfOther: goods('xyz2', 'm1'),

  sessionAbb: session('123', 'abb', IN_2100 + 60),
  sessionAbd: session('123', 'abd', IN_2100),
  sessionOfBea: session('1234', 'abc', IN_2100),
};
