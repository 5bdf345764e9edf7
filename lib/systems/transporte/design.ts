import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { cartaPorte, conductor, mercancia, remolque, session, ubicacion, user, vehiculo, viaje } from './attributes';
import { reads } from './patterns/reads';
import { resources } from './patterns/resources';
import { trips } from './patterns/trips';
import { users } from './patterns/users';
import { waybills } from './patterns/waybills';

export const transporteAppTable = defineTable({
  name: 'TransporteApp',
  purpose: 'Modelado de Datos NoSQL para DynamoDB: Single-Table Design',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    // GSI-1 (ByStatus), which the document also names `GSI-Status`. It projects 'data.nombre' and 'data.estado', and DynamoDB
    // projects top-level attributes only: so name and state are copied to the top level. All of `data` would bring the RFC and
    // CURP of drivers into an index that crosses users.
    GSI1: {
      partition: 'GSI1PK',
      sort: 'GSI1SK',
      purpose: 'GSI-Status (ByStatus): viajes en curso, conductores, vehículos, remolques y cartas porte por estado',
      projection: ['entityType', 'id', 'nombre', 'estado', 'updatedAt'],
    },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Viajes por fecha, carta porte de un viaje' },
    // The document leaves open 'GSI adicional o embeber en item': a folio inside an item cannot be queried.
    GSI3: { partition: 'GSI3PK', sort: 'GSI3SK', purpose: 'Carta porte por folio' },
  },
  typeAttribute: 'entityType',
  // 3. TTL para datos temporales
  ttl: 'ttl',

  entities: {
    // USER (Perfil de Usuario)
    User: {
      type: 'USER',
      attributes: user,
      keys: { PK: 'USER#<data.id>', SK: 'PROFILE#metadata' },
    },

    // VIAJE. The examples of GSI1SK lack the kind that the diagram has; the diagram's form keeps the kinds apart, here
    // and below. "Solo viajes en curso tienen GSI1PK" (1. Sparse Indexes).
    Viaje: {
      type: 'VIAJE',
      attributes: viaje,
      keyOnly: ['userId'],
      keys: {
        PK: 'USER#<userId>',
        SK: 'VIAJE#<data.id>',
        GSI1PK: 'STATUS#<data.estado>',
        GSI1SK: '<data.fechaInicioProgramada:date>#VIAJE#<data.id>',
        GSI2PK: 'DATE#<data.fechaInicioProgramada:date>',
        GSI2SK: 'VIAJE#<data.id>',
      },
      indexes: { GSI1: { while: { 'data.estado': ['en_curso'] } } },
    },

    // CONDUCTOR
    Conductor: {
      type: 'CONDUCTOR',
      attributes: conductor,
      keyOnly: ['userId'],
      keys: {
        PK: 'USER#<userId>',
        SK: 'CONDUCTOR#<data.id>',
        GSI1PK: 'STATUS#<data.estado>',
        GSI1SK: 'CONDUCTOR#<data.id>',
      },
    },
    Vehiculo: {
      type: 'VEHICULO',
      attributes: vehiculo,
      keyOnly: ['userId'],
      keys: {
        PK: 'USER#<userId>',
        SK: 'VEHICULO#<data.id>',
        GSI1PK: 'STATUS#<data.estado>',
        GSI1SK: 'VEHICULO#<data.id>',
      },
    },
    Remolque: {
      type: 'REMOLQUE',
      attributes: remolque,
      keyOnly: ['userId'],
      keys: {
        PK: 'USER#<userId>',
        SK: 'REMOLQUE#<data.id>',
        GSI1PK: 'STATUS#<data.estado>',
        GSI1SK: 'REMOLQUE#<data.id>',
      },
    },

    // CARTA_PORTE (con datos embebidos). Without a trip it is not in GSI2, without a folio not in GSI3.
    CartaPorte: {
      type: 'CARTA_PORTE',
      attributes: cartaPorte,
      keyOnly: ['userId'],
      keys: {
        PK: 'USER#<userId>',
        SK: 'CARTA#<data.id>',
        GSI1PK: 'STATUS#<data.status>',
        GSI1SK: '<createdAt:date>#CARTA#<data.id>',
        GSI2PK: 'VIAJE#<viajeId>',
        GSI2SK: 'CARTA#<data.id>',
        GSI3PK: 'FOLIO#<data.folio>',
        GSI3SK: 'CARTA#<data.id>',
      },
    },
    Ubicacion: {
      type: 'UBICACION',
      attributes: ubicacion,
      keyOnly: ['cartaId'],
      keys: { PK: 'CARTA#<cartaId>', SK: 'UBICACION#<orden:2>' },
    },
    Mercancia: {
      type: 'MERCANCIA',
      attributes: mercancia,
      keyOnly: ['cartaId'],
      keys: { PK: 'CARTA#<cartaId>', SK: 'MERCANCIA#<id>' },
    },

    // 3. TTL para datos temporales
    Session: {
      type: 'SESSION',
      attributes: session,
      keyOnly: ['userId', 'sessionId'],
      keys: { PK: 'USER#<userId>', SK: 'SESSION#<sessionId>' },
    },
  },

  patterns: {
    ...reads,
    ...users,
    ...trips,
    ...resources,
    ...waybills,
  },

  acknowledge: {
    'unacceptable-item': {
      'patterns.editWaybill':
        'the schema asks how postal codes and international trips go together, and this changes neither',
      'patterns.stampWaybill':
        'the schema asks how postal codes and international trips go together, and this changes neither',
      'patterns.stampWaybillOfTrip.steps.carta':
        'the schema asks how postal codes and international trips go together, and this changes neither',
      'patterns.cancelWaybill':
        'the schema asks how postal codes and international trips go together, and this changes neither',
      'patterns.cancelWaybillOfTrip.steps.carta':
        'the schema asks how postal codes and international trips go together, and this changes neither',
    },
    'hot-partition': {
      'entities.Viaje.keys.GSI2PK': 'by design of the document: a fleet starts some hundreds of trips a day',
      'entities.Viaje.keys.GSI1PK':
        'by design of the document: only trips that are under way are in the index, and they leave it when they end',
    },
    'tenant-unscoped': {
      'entities.Ubicacion.keys.PK': 'found through a waybill of the user, whose id is not to be guessed',
      'entities.Mercancia.keys.PK': 'found through a waybill of the user, whose id is not to be guessed',
      'patterns.waybillParts': 'called with the id of a waybill that was read as the user',
      'patterns.removeLocation': 'called with the id of a waybill that was read as the user',
      'patterns.removeGoods': 'called with the id of a waybill that was read as the user',
      'patterns.waybillOfTrip': 'called with the id of a trip that was read as the user',
      'patterns.waybillByFolio': 'for the fiscal desk, which looks up the waybills of all users',
      'patterns.tripsByStatus': 'for dispatchers, who see all users; never granted to a function that serves one user',
      'patterns.tripsOfDate': 'for dispatchers, who see all users; never granted to a function that serves one user',
      'patterns.availableDrivers':
        'for dispatchers, who see all users; never granted to a function that serves one user',
    },
  },
});

export const transporte = defineSystem({
  name: 'transporte',
  purpose: 'Road freight: the trips, drivers, vehicles and waybills (carta porte) of a user in one table',
  cloud: 'aws',
  tenant: 'userId',
  tables: { TransporteApp: transporteAppTable },
});
