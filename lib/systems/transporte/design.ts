import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { cartaPorte, conductor, mercancia, ofUser, session, ubicacion, unidad, user, viaje } from './attributes';
import { reads } from './patterns/reads';
import { trips } from './patterns/trips';
import { waybills } from './patterns/waybills';

/** The ids that an item stores only in its key. */
const own = ['userId', 'id'] as const;

export const transporteAppTable = defineTable({
  name: 'TransporteApp',
  purpose: 'Modelado de Datos NoSQL para DynamoDB: Single-Table Design',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    // GSI-1 (ByStatus), also named `GSI-Status`. The document projects 'data.nombre' and 'data.estado', but DynamoDB
    // projects only top-level attributes, so items have copies of both.
    GSI1: {
      partition: 'GSI1PK',
      sort: 'GSI1SK',
      purpose: 'GSI-Status (ByStatus): viajes en curso, conductores y cartas porte por estado',
      projection: ['entityType', 'nombre', 'estado', 'updatedAt'],
    },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Viajes por fecha, carta porte de un viaje' },
    // The document suggests "GSI adicional o embeber en item", but no query can find a folio inside an item.
    GSI3: { partition: 'GSI3PK', sort: 'GSI3SK', purpose: 'Carta porte por folio' },
  },
  typeAttribute: 'entityType',
  // 3. TTL para datos temporales
  ttl: 'ttl',

  entities: {
    User: { type: 'USER', attributes: user, keys: { PK: 'USER#<data.id>', SK: 'PROFILE#metadata' } },

    // VIAJE. GSI1SK is as in the diagram. "Solo viajes en curso tienen GSI1PK" (section 1 of the document).
    Viaje: {
      type: 'VIAJE',
      attributes: viaje,
      keyOnly: own,
      keys: {
        ...ofUser,
        SK: 'VIAJE#<id>',
        GSI1PK: 'STATUS#<data.estado>',
        GSI1SK: '<data.fechaInicioProgramada:date>#VIAJE#<id>',
        GSI2PK: 'DATE#<data.fechaInicioProgramada:date>',
        GSI2SK: 'VIAJE#<id>',
      },
      indexes: { GSI1: { while: { 'data.estado': ['en_curso'] } } },
    },

    Conductor: {
      type: 'CONDUCTOR',
      attributes: conductor,
      keyOnly: own,
      keys: { ...ofUser, SK: 'CONDUCTOR#<id>', GSI1PK: 'STATUS#<data.estado>', GSI1SK: 'CONDUCTOR#<id>' },
    },
    Vehiculo: { type: 'VEHICULO', attributes: unidad, keyOnly: own, keys: { ...ofUser, SK: 'VEHICULO#<id>' } },
    Remolque: { type: 'REMOLQUE', attributes: unidad, keyOnly: own, keys: { ...ofUser, SK: 'REMOLQUE#<id>' } },

    // CARTA_PORTE (con datos embebidos). A waybill without a trip is not in GSI2; without a folio, not in GSI3.
    CartaPorte: {
      type: 'CARTA_PORTE',
      attributes: cartaPorte,
      keyOnly: own,
      keys: {
        ...ofUser,
        SK: 'CARTA#<id>',
        GSI1PK: 'STATUS#<data.status>',
        GSI1SK: '<createdAt:date>#CARTA#<id>',
        GSI2PK: 'VIAJE#<viajeId>',
        GSI2SK: 'CARTA#<id>',
        GSI3PK: 'FOLIO#<data.folio>',
        GSI3SK: 'CARTA#<id>',
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
      keys: { ...ofUser, SK: 'SESSION#<sessionId>' },
    },
  },

  patterns: { ...reads, ...trips, ...waybills },

  acknowledge: {
    'filtered-read': {
      'patterns.waybillOfUserByFolio': "needed for waybills without GSI3 keys; reads only one user's waybills",
    },
    'hot-partition': {
      'entities.Viaje.keys.GSI2PK': 'as in the document: a fleet starts a few hundred trips a day',
      'entities.Viaje.keys.GSI1PK': 'as in the document: the index contains only trips that are under way',
    },
    'tenant-unscoped': {
      'entities.Ubicacion.keys.PK':
        "callers find the item through the user's own waybill, and waybill ids cannot be guessed",
      'entities.CartaPorte.keys.GSI1PK': 'for the fiscal desk, which sees the waybills of all users',
      'entities.CartaPorte.keys.GSI2PK': 'callers learn this id only by reading their own trips',
      'entities.CartaPorte.keys.GSI3PK': 'for the fiscal desk, which looks up the waybills of all users',
      'entities.Viaje.keys.GSI1PK':
        'for dispatchers, who see all users; never granted to a function that serves one user',
      'entities.Viaje.keys.GSI2PK':
        'for dispatchers, who see all users; never granted to a function that serves one user',
    },
  },
});

export const transporte = defineSystem({
  name: 'transporte',
  purpose: "Road freight: each user's trips, drivers, vehicles and waybills (carta porte), all in one table",
  cloud: 'aws',
  tenant: 'userId',
  tables: { TransporteApp: transporteAppTable },
});
