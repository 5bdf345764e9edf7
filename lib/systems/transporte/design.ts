import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { cartaPorte, conductor, mercancia, remolque, session, ubicacion, user, vehiculo, viaje } from './attributes';

export const transporteAppTable = defineTable({
  name: 'TransporteApp',
  purpose: 'Modelado de Datos NoSQL para DynamoDB: Single-Table Design',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    // GSI-1 (ByStatus). The document projects 'data.nombre' and 'data.estado': DynamoDB projects top-level attributes
    // only, and would look for one of that very name. So the whole of `data` is in the index.
    GSI1: {
      partition: 'GSI1PK',
      sort: 'GSI1SK',
      purpose: 'ByStatus: viajes, conductores y cartas porte por estado',
      projection: ['entityType', 'data', 'updatedAt'],
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
    // and below. A finished trip has no `estado` and so is not in GSI1 (1. Sparse Indexes).
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
    getProfile: {
      op: 'get',
      purpose: 'Perfil de Usuario',
      where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
      returns: ['User'],
    },

    // The key holds no date: the newest come first where ids grow with time, as those of UUID version 7 do.
    tripsOfUser: {
      op: 'query',
      purpose: 'Obtener viajes de usuario (Paginación)',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'VIAJE#' } },
      returns: ['Viaje'],
      order: 'descending',
      pageSize: 20,
    },
    getTrip: {
      op: 'get',
      purpose: 'Obtener viaje con carta porte (datos embebidos)',
      where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
      returns: ['Viaje'],
    },
    // The partition also holds drivers, vehicles and waybills, and the date comes before the kind: only together with
    // its date does a prefix select trips alone.
    tripsByStatus: {
      op: 'query',
      purpose: 'Viajes de un estado que inician en una fecha',
      index: 'GSI1',
      where: { GSI1PK: 'STATUS#<estado>', GSI1SK: { beginsWith: '<fechaInicio:date>#VIAJE#' } },
      returns: ['Viaje'],
      select: ['userId', 'data', 'updatedAt'],
    },
    tripsOfDate: {
      op: 'query',
      purpose: 'Viajes que inician en una fecha',
      index: 'GSI2',
      where: { GSI2PK: 'DATE#<fechaInicio:date>', GSI2SK: { beginsWith: 'VIAJE#' } },
      returns: ['Viaje'],
    },

    // The document asks with the partition alone: without the prefix, vehicles and trailers would come along.
    availableDrivers: {
      op: 'query',
      purpose: 'Listar conductores disponibles',
      index: 'GSI1',
      where: { GSI1PK: 'STATUS#disponible', GSI1SK: { beginsWith: 'CONDUCTOR#' } },
      returns: ['Conductor'],
      select: ['userId', 'data', 'updatedAt'],
    },
    driversOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'CONDUCTOR#' } },
      returns: ['Conductor'],
    },
    vehiclesOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'VEHICULO#' } },
      returns: ['Vehiculo'],
    },

    waybillsOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'CARTA#' } },
      returns: ['CartaPorte'],
    },
    waybillByFolio: {
      op: 'query',
      purpose: 'Carta porte por folio',
      index: 'GSI3',
      where: { GSI3PK: 'FOLIO#<folio>', GSI3SK: { beginsWith: 'CARTA#' } },
      returns: ['CartaPorte'],
    },
    waybillOfTrip: {
      op: 'query',
      purpose: 'Carta porte de un viaje',
      index: 'GSI2',
      where: { GSI2PK: 'VIAJE#<viajeId>', GSI2SK: { beginsWith: 'CARTA#' } },
      returns: ['CartaPorte'],
    },
    waybillParts: {
      op: 'query',
      purpose: 'Ubicaciones y mercancías de una carta porte',
      where: { PK: 'CARTA#<cartaId>' },
      returns: ['Ubicacion', 'Mercancia'],
    },

    sessionsOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'SESSION#' } },
      returns: ['Session'],
    },

    // Batch Operations. Not every trip has a trailer.
    tripResources: {
      op: 'batchGet',
      purpose: 'Obtener múltiples items: conductor, vehículo y remolque de un viaje',
      keys: {
        conductor: { PK: 'USER#<userId>', SK: 'CONDUCTOR#<conductorId>' },
        vehiculo: { PK: 'USER#<userId>', SK: 'VEHICULO#<vehiculoId>' },
        remolque: { PK: 'USER#<userId>', SK: 'REMOLQUE#<remolqueId?>' },
      },
      returns: ['Conductor', 'Vehiculo', 'Remolque'],
    },

    // Transacciones. The document counts without looking at the plan's limit: here the waybill past it is refused.
    createTripWithWaybill: {
      op: 'transaction',
      purpose: 'Crear viaje con carta porte (transacción)',
      steps: {
        viaje: { op: 'put', entity: 'Viaje' },
        carta: { op: 'put', entity: 'CartaPorte' },
        usuario: {
          op: 'update',
          entity: 'User',
          where: { PK: 'USER#<viaje.userId>', SK: 'PROFILE#metadata' },
          add: { 'credits.monthlyUsed': 1 },
          condition: { 'credits.monthlyUsed': { lessThan: { attribute: 'subscription.limits.cartasPorteMes' } } },
        },
      },
    },

    // Sparse Indexes. Without its status, both keys of GSI1 go too.
    finishTrip: {
      op: 'update',
      purpose: 'Terminar un viaje: deja de estar en GSI1',
      entity: 'Viaje',
      where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
      set: { updatedAt: '<updatedAt>' },
      remove: ['data.estado'],
      condition: { 'data.estado': { exists: true } },
    },
  },

  acknowledge: {
    'hot-partition': {
      'entities.Viaje.keys.GSI1PK':
        'by design of the document: only open trips are in the index, and finished ones leave it',
      'entities.Conductor.keys.GSI1PK': 'by design of the document: a driver changes status a few times a day',
      'entities.Vehiculo.keys.GSI1PK': 'by design of the document: a vehicle changes status a few times a day',
      'entities.Remolque.keys.GSI1PK': 'by design of the document: a trailer changes status a few times a day',
      'entities.CartaPorte.keys.GSI1PK': 'by design of the document: a waybill changes status twice in its life',
    },
    'tenant-unscoped': {
      'entities.Ubicacion.keys.PK': 'found through a waybill of the user, whose id is not to be guessed',
      'entities.Mercancia.keys.PK': 'found through a waybill of the user, whose id is not to be guessed',
      'patterns.waybillParts': 'called with the id of a waybill that was read as the user',
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
