import { defineCases } from '../../proof/cases';
import { transporte } from './design';
import { cartaPorte, conductor, mercanciaKey, session, ubicacionKey, user, viaje } from './examples';
import { IN_2100, items, numbered, trip, waybill } from './items';
import { lives } from './lives';
import { newTripOfWaybill, written } from './written';

const { itsWaybill } = written;
const { id: _, ...newTrip } = newTripOfWaybill;

/** The attributes that GSI1 projects. */
const inStatus = ['userId', 'id', 'nombre', 'estado', 'updatedAt'];

/** A trip and its waybill, which the pattern must refuse to write. */
const refused = (why: string, userId: string, tripId = 'refused', waybillId = 'refused', of = userId) => ({
  why,
  values: {
    ...trip(userId, tripId, '2024-01-17T09:00:00Z', { estado: 'programado' })[1],
    carta: waybill(of, waybillId, { viajeId: tripId, status: 'borrador' })[1],
  },
  error: 'TransactionCanceledException',
});

export const transporteCases = defineCases(transporte, {
  tables: {
    TransporteApp: {
      items,

      // The items are exactly as in the document, with two exceptions: GSI1SK has the form in the diagram, and the
      // document does not specify GSI3.
      documented: {
        USER: { entity: 'User', item: user },
        VIAJE: { entity: 'Viaje', item: { ...viaje, GSI1SK: '2024-01-15#VIAJE#viaje-uuid' } },
        CONDUCTOR: { entity: 'Conductor', item: { ...conductor, GSI1SK: 'CONDUCTOR#conductor-uuid' } },
        CARTA_PORTE: {
          entity: 'CartaPorte',
          item: {
            ...cartaPorte,
            GSI1SK: '2024-01-15#CARTA#carta-uuid',
            GSI3PK: 'FOLIO#CP-000015',
            GSI3SK: 'CARTA#carta-uuid',
          },
          // In the document, only the key of GSI2 contains the trip's id, and an update cannot read it from there.
          adds: ['viajeId'],
        },
        // The item has the attribute that the document elides, and expires in the future.
        SESSION: {
          entity: 'Session',
          item: { ...session, entityType: 'SESSION', ttl: IN_2100 },
        },
        // The item has the diagram's keys and the values that the waybill embeds.
        UBICACION: {
          entity: 'Ubicacion',
          item: { ...ubicacionKey, entityType: 'UBICACION', ...cartaPorte.ubicaciones[1] },
        },
        MERCANCIA: {
          entity: 'Mercancia',
          item: { ...mercanciaKey, entityType: 'MERCANCIA', ...cartaPorte.mercancias[0], id: 'm1' },
        },
      },

      written,

      // These items have no example in the document, or appear in the document with two different dates.
      stored: {
        // A trip that is not under way has no entry in the index by status.
        finished: { PK: 'USER#123', SK: 'VIAJE#efg', GSI2PK: 'DATE#2024-01-15', GSI2SK: 'VIAJE#efg' },
        vehicle789: { PK: 'USER#123', SK: 'VEHICULO#789' },
        trailer: { PK: 'USER#123', SK: 'REMOLQUE#321' },
        waybillOfBea: {
          GSI1PK: 'STATUS#timbrada',
          GSI1SK: '2024-01-11#CARTA#carta-a',
          GSI2PK: 'VIAJE#viaje-uuid',
          GSI2SK: 'CARTA#carta-a',
          GSI3PK: 'FOLIO#CP-000015',
          GSI3SK: 'CARTA#carta-a',
        },
      },

      patterns: {
        getProfile: { values: { userId: '123' }, returns: ['ana'] },

        tripsOfUser: {
          values: { userId: '123' },
          returns: [
            ...['last', ...numbered.toReversed(), 'lost', 'withFiscal', 'dayAfter'],
            ...['stateless', 'delayed', 'finished', 'def', 'abcd', 'abc'],
          ],
        },
        getTrip: { values: { userId: '123', viajeId: 'abc' }, returns: ['abc'] },
        tripsByStatus: {
          values: { estado: 'en_curso' },
          returns: ['abcd', 'abbOfBea', 'abc', 'VIAJE', 'last', 'dayAfter'],
          select: inStatus,
        },
        waybillsByStatus: {
          values: { status: 'timbrada' },
          returns: ['waybillOfAna', 'longerFolio', 'waybillZ', 'waybillOfBea', 'CARTA_PORTE'],
          select: ['userId', 'id', 'estado', 'updatedAt'],
        },
        tripsOfDate: {
          values: { fechaInicio: '2024-01-15' },
          returns: ['abbOfBea', 'abc', 'def', 'finished', 'VIAJE', 'last'],
        },

        availableDrivers: {
          values: {},
          returns: ['driverOfBea', 'driver456', 'CONDUCTOR', 'driverZ', 'driverOfCarl'],
          select: inStatus,
        },
        driversOfUser: { values: { userId: '123' }, returns: ['driver456', 'driver4567', 'driverZ'] },
        vehiclesOfUser: { values: { userId: '123' }, returns: ['vehicle788', 'vehicle789', 'vehicle7890'] },
        trailersOfUser: { values: { userId: '123' }, returns: ['trailer320', 'trailer'] },

        waybillsOfUser: { values: { userId: 'uuid' }, returns: ['cancelled', 'CARTA_PORTE', 'longerFolio'] },
        getWaybill: { values: { userId: 'uuid', cartaId: 'carta-uuid' }, returns: ['CARTA_PORTE'] },
        waybillOfUserByFolio: {
          values: { userId: '123', folio: 'CP-000015' },
          returns: ['waybillOfAna', 'waybillZ'],
        },
        waybillByFolio: {
          values: { folio: 'CP-000015' },
          returns: ['waybillOfBea', 'waybillOfAna', 'CARTA_PORTE', 'waybillZ'],
        },
        waybillOfTrip: {
          values: { viajeId: 'viaje-uuid' },
          returns: ['waybillOfBea', 'waybillOfAna', 'cancelled', 'CARTA_PORTE', 'waybillZ'],
        },
        waybillParts: {
          values: { cartaId: 'xyz' },
          returns: ['goodsM0', 'MERCANCIA', 'goodsM2', 'location01', 'UBICACION', 'location10'],
        },

        sessionsOfUser: { values: { userId: '123' }, returns: ['sessionAbb', 'SESSION', 'sessionAbd'] },

        tripResources: {
          values: { userId: '123', conductorId: '456', vehiculoId: '789', remolqueId: '321' },
          returns: ['driver456', 'vehicle789', 'trailer'],
        },

        createTripWithWaybill: {
          // The last waybill that Ana's plan allows.
          values: { ...newTrip, carta: itsWaybill[1] },
          shows: [
            { pattern: 'getTrip', values: { userId: '123', viajeId: 'abe' }, returns: ['created'] },
            { pattern: 'waybillOfTrip', values: { viajeId: 'abe' }, returns: ['itsWaybill'] },
            // The trip is not under way, so GSI1 does not contain it.
            { pattern: 'tripsByStatus', values: { estado: 'programado' }, returns: [] },
            { pattern: 'getProfile', values: { userId: '123' }, returns: ['anaAtTheLimit'] },
            // Some trips have no trailer.
            {
              pattern: 'tripResources',
              values: { userId: '123', conductorId: '456', vehiculoId: '789' },
              returns: ['driver456', 'vehicle789'],
            },
            // The refused writes below do not change this profile.
            { pattern: 'getProfile', values: { userId: '1234' }, returns: ['bea'] },
            { pattern: 'getProfile', values: { userId: 'uuid' }, returns: ['USER'] },
            { pattern: 'getTrip', values: { userId: 'uuid', viajeId: 'viaje-uuid' }, returns: ['VIAJE'] },
            {
              pattern: 'waybillsOfUser',
              values: { userId: 'uuid' },
              returns: ['cancelled', 'CARTA_PORTE', 'longerFolio'],
            },
            { pattern: 'waybillOfTrip', values: { viajeId: 'refused' }, returns: [] },
            { pattern: 'tripsOfDate', values: { fechaInicio: '2024-01-17' }, returns: ['created'] },
          ],
          refuses: [
            refused('a trip that already exists', 'uuid', 'viaje-uuid'),
            refused('a waybill that already exists', 'uuid', 'refused', 'carta-uuid'),
            refused('one waybill over the limit', '123'),
            refused('a waybill for a user who had already reached the limit', '1234'),
            refused('a waybill for a user without a profile', 'nobody'),
            refused("another user's waybill", 'uuid', 'refused', 'refused', '1234'),
          ],
        },

        ...lives,
      },
    },
  },
  procedures: {},
});
