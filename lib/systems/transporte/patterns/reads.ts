import type { TableDesign } from '../../../design/table';
import { ofUser } from '../attributes';

/** The attributes that GSI1 contains for a trip or a driver. */
const shown = ['userId', 'id', 'nombre', 'estado', 'updatedAt'] as const;

export const reads = {
  getProfile: { op: 'get', where: { ...ofUser, SK: 'PROFILE#metadata' }, returns: ['User'] },

  // The key contains no date, so the newest trips come first only if ids increase over time, as in UUID version 7.
  tripsOfUser: {
    op: 'query',
    purpose: 'Obtener viajes de usuario (Paginación)',
    where: { ...ofUser, SK: { beginsWith: 'VIAJE#' } },
    returns: ['Viaje'],
    order: 'descending',
    pageSize: 20,
  },
  getTrip: { op: 'get', where: { ...ofUser, SK: 'VIAJE#<viajeId>' }, returns: ['Viaje'] },
  // GSI1SK has two forms in the document, with the kind (`2024-01-15#VIAJE#abc`) and without it (`2024-01-15#abc`).
  // Like the document's own query, these queries use only the partition key, and therefore find both forms.
  tripsByStatus: {
    op: 'query',
    purpose: 'Viajes en un estado: en_curso',
    index: 'GSI1',
    where: { GSI1PK: 'STATUS#<estado>' },
    filter: { entityType: 'VIAJE' },
    returns: ['Viaje'],
    select: shown,
  },
  waybillsByStatus: {
    op: 'query',
    purpose: 'Cartas porte en un estado: borrador, timbrada',
    index: 'GSI1',
    where: { GSI1PK: 'STATUS#<status>' },
    filter: { entityType: 'CARTA_PORTE' },
    returns: ['CartaPorte'],
    select: ['userId', 'id', 'estado', 'updatedAt'],
  },
  availableDrivers: {
    op: 'query',
    purpose: 'Listar conductores disponibles',
    index: 'GSI1',
    where: { GSI1PK: 'STATUS#disponible' },
    filter: { entityType: 'CONDUCTOR' },
    returns: ['Conductor'],
    select: shown,
  },
  tripsOfDate: {
    op: 'query',
    index: 'GSI2',
    where: { GSI2PK: 'DATE#<fechaInicio:date>', GSI2SK: { beginsWith: 'VIAJE#' } },
    returns: ['Viaje'],
  },

  driversOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'CONDUCTOR#' } }, returns: ['Conductor'] },
  vehiclesOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'VEHICULO#' } }, returns: ['Vehiculo'] },
  trailersOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'REMOLQUE#' } }, returns: ['Remolque'] },

  waybillsOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'CARTA#' } }, returns: ['CartaPorte'] },
  getWaybill: { op: 'get', where: { ...ofUser, SK: 'CARTA#<cartaId>' }, returns: ['CartaPorte'] },
  waybillByFolio: {
    op: 'query',
    purpose: 'Carta porte por folio',
    index: 'GSI3',
    where: { GSI3PK: 'FOLIO#<folio>', GSI3SK: { beginsWith: 'CARTA#' } },
    returns: ['CartaPorte'],
  },
  // The document's waybills have no GSI3PK until the migration, so this pattern reads all of a user's waybills.
  waybillOfUserByFolio: {
    op: 'query',
    purpose: 'Carta porte por folio, entre las de un usuario',
    where: { ...ofUser, SK: { beginsWith: 'CARTA#' } },
    filter: { 'data.folio': '<folio>' },
    returns: ['CartaPorte'],
  },
  waybillOfTrip: {
    op: 'query',
    index: 'GSI2',
    where: { GSI2PK: 'VIAJE#<viajeId>', GSI2SK: { beginsWith: 'CARTA#' } },
    returns: ['CartaPorte'],
  },
  waybillParts: { op: 'query', where: { PK: 'CARTA#<cartaId>' }, returns: ['Ubicacion', 'Mercancia'] },

  sessionsOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'SESSION#' } }, returns: ['Session'] },

  // Batch Operations. Some trips have no trailer.
  tripResources: {
    op: 'batchGet',
    purpose: 'Obtener múltiples items: conductor, vehículo y remolque de un viaje',
    keys: {
      conductor: { ...ofUser, SK: 'CONDUCTOR#<conductorId>' },
      vehiculo: { ...ofUser, SK: 'VEHICULO#<vehiculoId>' },
      remolque: { ...ofUser, SK: 'REMOLQUE#<remolqueId?>' },
    },
    returns: ['Conductor', 'Vehiculo', 'Remolque'],
  },
} as const satisfies TableDesign['patterns'];
