import type { TableDesign } from '../../../design/table';
import { ofUser } from '../attributes';

const profile = { ...ofUser, SK: 'PROFILE#metadata' } as const;
const session = { ...ofUser, SK: 'SESSION#<sessionId>' } as const;
const trip = { ...ofUser, SK: 'VIAJE#<viajeId>' } as const;
const driver = { ...ofUser, SK: 'CONDUCTOR#<conductorId>' } as const;

const times = { createdAt: '<createdAt>', updatedAt: '<updatedAt>' } as const;
const own = { userId: '<userId>', id: '<data.id>', data: '<data>' } as const;

// GSI1 projects the copies `nombre` and `estado`.
const tripCopies = { nombre: '<data.nombre>', estado: '<data.estado?>' } as const;
const tripParts = { resources: '<resources?>', fiscal: '<fiscal?>', costos: '<costos?>' } as const;
const wholeTrip = { ...own, ...tripCopies, ...tripParts, tracking: '<tracking?>', ...times } as const;
const wholeDriver = {
  ...own,
  nombre: '<data.nombre>',
  estado: '<data.estado>',
  licencia: '<licencia?>',
  compensacion: '<compensacion?>',
  performance: '<performance?>',
  asignacion: '<asignacion?>',
  ...times,
} as const;
const wholeUnit = { ...own, createdAt: '<createdAt?>', updatedAt: '<updatedAt>' } as const;

/** The changes that give a trip or a driver a new state, including the copies for GSI1. */
const state = {
  'data.estado': '<estado>',
  estado: '<estado>',
  nombre: { attribute: 'data.nombre' },
  updatedAt: '<updatedAt>',
} as const;

const whole = { replace: true, condition: { PK: { exists: true } } } as const;

/** Users with their sessions, trips, and the drivers, vehicles and trailers that trips need. */
export const trips = {
  createUser: { op: 'put', entity: 'User' },
  editUser: {
    op: 'update',
    entity: 'User',
    where: profile,
    set: {
      'data.email': '<email?>',
      'data.fullName': '<fullName?>',
      'data.avatarUrl': '<avatarUrl?>',
      'data.timezone': '<timezone?>',
      subscription: '<subscription?>',
      credits: '<credits?>',
      config: '<config?>',
    },
  },
  deleteUser: { op: 'delete', entity: 'User', where: profile },

  openSession: { op: 'put', entity: 'Session' },
  touchSession: { op: 'update', purpose: 'It expires later', entity: 'Session', where: session, set: { ttl: '<ttl>' } },
  closeSession: { op: 'delete', entity: 'Session', where: session },

  createTrip: { op: 'put', entity: 'Viaje', item: wholeTrip },
  // Transacciones. "limits": refuses a waybill over the plan's limit, and a waybill of another user.
  createTripWithWaybill: {
    op: 'transaction',
    purpose: 'Crear viaje con carta porte (transacción)',
    steps: {
      viaje: { op: 'put', entity: 'Viaje', item: wholeTrip },
      carta: { op: 'put', entity: 'CartaPorte' },
      usuario: {
        op: 'update',
        entity: 'User',
        where: profile,
        add: { 'credits.monthlyUsed': 1 },
        condition: {
          'data.id': '<carta.userId>',
          'credits.monthlyUsed': { lessThan: { attribute: 'subscription.limits.cartasPorteMes' } },
        },
      },
    },
  },
  editTrip: {
    op: 'update',
    entity: 'Viaje',
    where: trip,
    set: { ...tripCopies, data: '<data>', ...tripParts, updatedAt: '<updatedAt>' },
  },
  // Sparse Indexes: a trip is in GSI1 only while it is under way, and keeps its last state afterwards.
  setTripState: {
    op: 'update',
    entity: 'Viaje',
    where: trip,
    set: state,
    condition: { 'data.fechaInicioProgramada': '<fechaInicioProgramada>' },
  },
  locateTrip: { op: 'update', entity: 'Viaje', where: trip, set: { tracking: '<tracking>', updatedAt: '<updatedAt>' } },

  createDriver: { op: 'put', entity: 'Conductor', item: wholeDriver },
  editDriver: { op: 'put', entity: 'Conductor', item: wholeDriver, ...whole },
  setDriverState: { op: 'update', entity: 'Conductor', where: driver, set: state },
  deleteDriver: { op: 'delete', entity: 'Conductor', where: driver },

  createVehicle: { op: 'put', entity: 'Vehiculo', item: wholeUnit },
  editVehicle: { op: 'put', entity: 'Vehiculo', item: wholeUnit, ...whole },
  deleteVehicle: { op: 'delete', entity: 'Vehiculo', where: { ...ofUser, SK: 'VEHICULO#<vehiculoId>' } },

  createTrailer: { op: 'put', entity: 'Remolque', item: wholeUnit },
  editTrailer: { op: 'put', entity: 'Remolque', item: wholeUnit, ...whole },
  deleteTrailer: { op: 'delete', entity: 'Remolque', where: { ...ofUser, SK: 'REMOLQUE#<remolqueId>' } },
} as const satisfies TableDesign['patterns'];
