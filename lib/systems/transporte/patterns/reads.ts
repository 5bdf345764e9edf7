import type { TableDesign } from '../../../design/table';

/** What is asked for. */
export const reads = {
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
    purpose: 'Viajes en curso que inician en una fecha',
    index: 'GSI1',
    where: { GSI1PK: 'STATUS#<estado>', GSI1SK: { beginsWith: '<fechaInicio:date>#VIAJE#' } },
    returns: ['Viaje'],
    select: ['userId', 'id', 'nombre', 'estado', 'updatedAt'],
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
    select: ['userId', 'id', 'nombre', 'estado', 'updatedAt'],
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

  trailersOfUser: {
    op: 'query',
    where: { PK: 'USER#<userId>', SK: { beginsWith: 'REMOLQUE#' } },
    returns: ['Remolque'],
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
} as const satisfies TableDesign['patterns'];
