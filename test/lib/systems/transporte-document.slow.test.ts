import type { Item } from '../../../lib/items/item';
import { transporte } from '../../../lib/systems';
import {
  cartaPorte,
  conductor,
  mercanciaKey,
  session,
  ubicacionKey,
  user,
  viaje,
} from '../../../lib/systems/transporte/examples';
import { sparse, sparseReads } from '../../fixtures/transporte-items';
import { type Db, type DocumentedRead, describeDocument, onDynamoDB } from '../../support/documented';

const place = onDynamoDB(transporte);
const NOW = '2024-01-20T12:00:00Z';
const diagram = { PK: 'USER#123', updatedAt: '2024-01-15T12:00:00.123456+00:00', createdAt: '2024-01-15T12:00Z' };

/**
 * Every item in the document. The examples and the diagram show different formats of GSI1SK, and the items use both.
 */
const items = {
  user,
  viaje,
  conductor,
  cartaPorte,
  session,
  profile: { ...user, PK: 'USER#123', data: { ...user.data, id: '123' } },
  abc: {
    ...viaje,
    ...diagram,
    SK: 'VIAJE#abc',
    GSI1SK: '2024-01-15#VIAJE#abc',
    GSI2SK: 'VIAJE#abc',
    data: dataOf(viaje, 'abc'),
  },
  // The document says of the GSI1 keys: "Solo presente si en_curso" (only present if under way).
  def: {
    ...without(viaje, 'GSI1PK', 'GSI1SK'),
    ...{ PK: 'USER#123', SK: 'VIAJE#def', GSI2SK: 'VIAJE#def' },
    data: { ...dataOf(viaje, 'def'), estado: 'programado' },
    fiscal: { cartaPorteId: 'xyz' },
  },
  driver456: { ...conductor, ...diagram, SK: 'CONDUCTOR#456', GSI1SK: 'CONDUCTOR#456', data: dataOf(conductor, '456') },
  vehicle789: {
    PK: 'USER#123',
    SK: 'VEHICULO#789',
    entityType: 'VEHICULO',
    data: { id: '789', placa: 'ABC-123', ejes: 3 },
  },
  trailer: { PK: 'USER#123', SK: 'REMOLQUE#321', entityType: 'REMOLQUE', data: { id: '321' } },
  xyz: {
    ...without(cartaPorte, 'timbrado'),
    ...{ ...diagram, SK: 'CARTA#xyz', GSI1PK: 'STATUS#borrador', GSI1SK: '2024-01-15#CARTA#xyz' },
    ...{ GSI2PK: 'VIAJE#def', GSI2SK: 'CARTA#xyz' },
    data: { ...without(dataOf(cartaPorte, 'xyz'), 'folio'), status: 'borrador' },
  },
  location: { ...ubicacionKey, entityType: 'UBICACION', ...cartaPorte.ubicaciones[1] },
  ...sparse,
  goods: { ...mercanciaKey, entityType: 'MERCANCIA', ...cartaPorte.mercancias[1], id: 'm1', peligroso: false },
};

function without<T extends object, K extends keyof T>(item: T, ...names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}

function dataOf<T extends { readonly data: object }>({ data }: T, id: string): T['data'] {
  return { ...data, id };
}

const query = (pk: string, sk = '', of = 'PK', index?: string) => ({
  table: 'TransporteApp',
  request: {
    ...(index === undefined ? {} : { IndexName: index }),
    KeyConditionExpression: sk === '' ? '#pk = :pk' : '#pk = :pk AND begins_with(#sk, :sk)',
    ExpressionAttributeNames: { '#pk': of, ...(sk === '' ? {} : { '#sk': of.replace('PK', 'SK') }) },
    ExpressionAttributeValues: { ':pk': pk, ...(sk === '' ? {} : { ':sk': sk }) },
  },
});
const status = (state: string) => query(`STATUS#${state}`, '', 'GSI1PK', 'GSI1');
const own = { userId: '123' };
const tripOf = (viajeId: string) => ({ ...own, viajeId, updatedAt: NOW });
const waybillOf = (cartaId: string) => ({ ...own, cartaId, updatedAt: NOW });
const named = { id: 'x1', nombre: 'Luz Mora', estado: 'disponible' };
const tracking = { ubicacionActual: { lat: 1, lng: 2 }, ultimaActualizacion: NOW };
const newWaybill = { id: 'x1', versionCartaPorte: '3.1', status: 'borrador', transporteInternacional: false };
const newTrip = { ...dataOf(viaje, 'x1'), estado: 'programado' };
/**
 * The attributes that reads through GSI1 return. GSI1 also projects copies of the name and the state, but the
 * document's items do not have these copies.
 */
const shows = ['entityType', 'updatedAt'];
const plain = (item: object) =>
  without(item as typeof viaje, 'PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK', 'entityType');
const filledIn = ['data', 'createdAt', 'updatedAt', 'timbrado'] as const;
const waybillParts = without(plain(cartaPorte) as unknown as typeof cartaPorte, ...filledIn);
const stamp = { status: 'timbrada', folio: 'CP-9', timbrado: cartaPorte.timbrado };
const stamped = {
  ...{ estado: 'timbrada', timbrado: cartaPorte.timbrado, updatedAt: NOW },
  ...{ data: { ...items.xyz.data, status: 'timbrada', folio: 'CP-9' } },
  ...{ GSI1PK: 'STATUS#timbrada', GSI1SK: '2024-01-15#CARTA#xyz', GSI3PK: 'FOLIO#CP-9', GSI3SK: 'CARTA#xyz' },
};
/** Returns the changes made by finishing a trip, which also removes the trip from GSI1. */
const finished = ({ data }: typeof viaje) => ({
  ...{ GSI1PK: undefined, GSI1SK: undefined, nombre: data.nombre, estado: 'completado', updatedAt: NOW },
  data: { ...data, estado: 'completado' },
});
const start = { fechaInicioProgramada: viaje.data.fechaInicioProgramada };
const moved = { ...items.def.data, fechaInicioProgramada: '2024-02-02T08:00:00Z' };

const reads: Readonly<Record<string, DocumentedRead | readonly DocumentedRead[]>> = {
  getProfile: { values: { userId: 'uuid' }, returns: ['user'] },
  tripsOfUser: { values: own, returns: ['def', 'abc'], asks: query('USER#123', 'VIAJE#') },
  getTrip: {
    values: { userId: 'uuid', viajeId: 'viaje-uuid' },
    returns: ['viaje'],
    asks: query('USER#uuid', 'VIAJE#viaje-uuid'),
  },
  tripsByStatus: { values: { estado: 'en_curso' }, shows, returns: ['abc', 'viaje'], asks: status('en_curso') },
  tripsOfDate: {
    values: { fechaInicio: '2024-01-15' },
    returns: ['abc', 'def', 'viaje'],
    asks: query('DATE#2024-01-15', '', 'GSI2PK', 'GSI2'),
  },
  availableDrivers: { values: {}, shows, returns: ['driver456', 'conductor'], asks: status('disponible') },
  driversOfUser: { values: own, returns: ['driver456'], asks: query('USER#123', 'CONDUCTOR#') },
  vehiclesOfUser: { values: own, returns: ['vehicle789'], asks: query('USER#123', 'VEHICULO#') },
  trailersOfUser: { values: own, returns: ['trailer'], asks: query('USER#123', 'REMOLQUE#') },
  waybillsOfUser: { values: own, returns: ['xyz'], asks: query('USER#123', 'CARTA#') },
  getWaybill: { values: { userId: 'uuid', cartaId: 'carta-uuid' }, returns: ['cartaPorte'] },
  waybillsByStatus: [
    { values: { status: 'timbrada' }, shows, returns: ['cartaPorte'], asks: status('timbrada') },
    { values: { status: 'borrador' }, shows, returns: ['xyz'], asks: status('borrador') },
  ],
  waybillOfUserByFolio: { values: { userId: 'uuid', folio: 'CP-000015' }, returns: ['cartaPorte'] },
  waybillOfTrip: {
    values: { viajeId: 'viaje-uuid' },
    returns: ['cartaPorte'],
    asks: query('VIAJE#viaje-uuid', '', 'GSI2PK', 'GSI2'),
  },
  waybillParts: { values: { cartaId: 'xyz' }, returns: ['goods', 'location'], asks: query('CARTA#xyz') },
  sessionsOfUser: { values: own, returns: ['session'], asks: query('USER#123', 'SESSION#') },
  tripResources: {
    values: { ...own, conductorId: '456', vehiculoId: '789', remolqueId: '321' },
    returns: ['driver456', 'vehicle789', 'trailer'],
  },
};
const both = (name: string) => [reads[name] ?? [], sparseReads[name as keyof typeof sparseReads] ?? []].flat();

describeDocument(transporte, place, {
  items: { TransporteApp: items },
  reads: Object.fromEntries(Object.keys(reads).map((name) => [name, both(name)])),
  writes: {
    createUser: {
      values: { ...plain(user), data: dataOf(user, 'x1') },
      changes: { new: { ...user, PK: 'USER#x1', data: dataOf(user, 'x1') } },
    },
    editUser: {
      values: { userId: 'uuid', fullName: 'Ana', credits: { ...user.credits, monthlyUsed: 0 } },
      changes: { user: { data: { ...user.data, fullName: 'Ana' }, credits: { ...user.credits, monthlyUsed: 0 } } },
    },
    deleteUser: { values: { userId: 'uuid' }, changes: { user: null } },
    openSession: {
      values: { ...own, sessionId: 'x1', ttl: 4_102_444_800, ip: '::1' },
      changes: { new: { PK: 'USER#123', SK: 'SESSION#x1', entityType: 'SESSION', ttl: 4_102_444_800, ip: '::1' } },
    },
    touchSession: {
      values: { ...own, sessionId: 'abc', ttl: 4_102_444_800 },
      changes: { session: { ttl: 4_102_444_800 } },
    },
    closeSession: { values: { ...own, sessionId: 'abc' }, changes: { session: null } },

    createTrip: {
      values: { ...own, data: newTrip, createdAt: NOW, updatedAt: NOW },
      changes: {
        new: {
          ...{ PK: 'USER#123', SK: 'VIAJE#x1', GSI2PK: 'DATE#2024-01-15', GSI2SK: 'VIAJE#x1', entityType: 'VIAJE' },
          ...{ nombre: newTrip.nombre, estado: 'programado', data: newTrip, createdAt: NOW, updatedAt: NOW },
        },
      },
    },
    createTripWithWaybill: {
      values: {
        ...{ ...own, data: dataOf(viaje, 'x1'), createdAt: NOW, updatedAt: NOW },
        carta: { ...own, id: 'x1', viajeId: 'x1', data: newWaybill, createdAt: NOW, updatedAt: NOW },
      },
      changes: {
        newTrip: {
          ...{ PK: 'USER#123', SK: 'VIAJE#x1', GSI1PK: 'STATUS#en_curso', GSI1SK: '2024-01-15#VIAJE#x1' },
          ...{ GSI2PK: 'DATE#2024-01-15', GSI2SK: 'VIAJE#x1', entityType: 'VIAJE', nombre: viaje.data.nombre },
          ...{ estado: 'en_curso', data: dataOf(viaje, 'x1'), createdAt: NOW, updatedAt: NOW },
        },
        newWaybill: {
          ...{ PK: 'USER#123', SK: 'CARTA#x1', GSI1PK: 'STATUS#borrador', GSI1SK: '2024-01-20#CARTA#x1' },
          ...{ GSI2PK: 'VIAJE#x1', GSI2SK: 'CARTA#x1', entityType: 'CARTA_PORTE', viajeId: 'x1' },
          ...{ data: newWaybill, createdAt: NOW, updatedAt: NOW },
        },
        profile: { credits: { ...user.credits, monthlyUsed: 16 } },
      },
    },
    editTrip: [
      {
        values: { ...tripOf('abc'), data: { ...items.abc.data, nombre: 'Otro' }, costos: viaje.costos },
        changes: {
          abc: { nombre: 'Otro', estado: 'en_curso', updatedAt: NOW, data: { ...items.abc.data, nombre: 'Otro' } },
        },
      },
      {
        values: { ...tripOf('def'), data: moved },
        changes: {
          def: {
            ...{ GSI2PK: 'DATE#2024-02-02', GSI2SK: 'VIAJE#def', updatedAt: NOW },
            ...{ nombre: moved.nombre, estado: 'programado', data: moved },
          },
        },
      },
    ],
    setTripState: [
      {
        values: { ...tripOf('def'), ...start, estado: 'en_curso' },
        changes: {
          def: {
            ...{ GSI1PK: 'STATUS#en_curso', GSI1SK: '2024-01-15#VIAJE#def', nombre: viaje.data.nombre },
            ...{ estado: 'en_curso', updatedAt: NOW, data: { ...items.def.data, estado: 'en_curso' } },
          },
        },
      },
      {
        values: { ...tripOf('viaje-uuid'), ...start, userId: 'uuid', estado: 'completado' },
        changes: { viaje: finished(viaje) },
      },
      { values: { ...tripOf('abc'), ...start, estado: 'completado' }, changes: { abc: finished(items.abc) } },
    ],
    locateTrip: {
      values: { ...tripOf('viaje-uuid'), userId: 'uuid', tracking },
      changes: { viaje: { tracking, updatedAt: NOW } },
    },
    createDriver: {
      values: { ...own, data: named, createdAt: NOW, updatedAt: NOW },
      changes: {
        new: {
          ...{ PK: 'USER#123', SK: 'CONDUCTOR#x1', GSI1PK: 'STATUS#disponible', GSI1SK: 'CONDUCTOR#x1' },
          ...{
            entityType: 'CONDUCTOR',
            nombre: 'Luz Mora',
            estado: 'disponible',
            data: named,
            createdAt: NOW,
            updatedAt: NOW,
          },
        },
      },
    },
    editDriver: {
      values: { ...plain(conductor), userId: 'uuid', data: { ...conductor.data, nombre: 'Pedro' }, updatedAt: NOW },
      changes: {
        conductor: {
          ...{ GSI1SK: 'CONDUCTOR#conductor-uuid', nombre: 'Pedro', estado: 'disponible', updatedAt: NOW },
          data: { ...conductor.data, nombre: 'Pedro' },
        },
      },
    },
    setDriverState: {
      values: { userId: 'uuid', conductorId: 'conductor-uuid', estado: 'en_viaje', updatedAt: NOW },
      changes: {
        conductor: {
          ...{ GSI1PK: 'STATUS#en_viaje', nombre: 'Pedro López', estado: 'en_viaje', updatedAt: NOW },
          data: { ...conductor.data, estado: 'en_viaje' },
        },
      },
    },
    deleteDriver: { values: { userId: 'uuid', conductorId: 'conductor-uuid' }, changes: { conductor: null } },
    createVehicle: {
      values: { ...own, data: { id: 'x1', ejes: 2 }, createdAt: NOW, updatedAt: NOW },
      changes: { new: unit('VEHICULO') },
    },
    editVehicle: {
      values: { ...own, data: { id: '789', ejes: 5 }, updatedAt: NOW },
      changes: { vehicle789: { data: { id: '789', ejes: 5 }, updatedAt: NOW } },
    },
    deleteVehicle: { values: { ...own, vehiculoId: '789' }, changes: { vehicle789: null } },
    createTrailer: {
      values: { ...own, data: { id: 'x1', ejes: 2 }, createdAt: NOW, updatedAt: NOW },
      changes: { new: unit('REMOLQUE') },
    },
    editTrailer: {
      values: { ...own, data: { id: '321', ejes: 5 }, updatedAt: NOW },
      changes: { trailer: { data: { id: '321', ejes: 5 }, updatedAt: NOW } },
    },
    deleteTrailer: { values: { ...own, remolqueId: '321' }, changes: { trailer: null } },

    draftWaybill: {
      values: { ...own, data: newWaybill, createdAt: NOW, updatedAt: NOW },
      changes: {
        new: {
          ...{ PK: 'USER#123', SK: 'CARTA#x1', GSI1PK: 'STATUS#borrador', GSI1SK: '2024-01-20#CARTA#x1' },
          ...{ entityType: 'CARTA_PORTE', estado: 'borrador', data: newWaybill, createdAt: NOW, updatedAt: NOW },
        },
      },
    },
    // Gives the draft every attribute.
    editWaybill: {
      values: {
        ...{
          ...waybillOf('xyz'),
          viajeId: 'abc',
          folio: 'CP-9',
          versionCartaPorte: '3.2',
          transporteInternacional: true,
        },
        ...waybillParts,
        emisor: { ...cartaPorte.emisor, domicilioFiscal: { codigoPostal: 'SW1A 1AA', pais: 'GBR' } },
      },
      changes: {
        xyz: {
          ...{ viajeId: 'abc', GSI2PK: 'VIAJE#abc', GSI2SK: 'CARTA#xyz', GSI3PK: 'FOLIO#CP-9', GSI3SK: 'CARTA#xyz' },
          data: { ...items.xyz.data, folio: 'CP-9', versionCartaPorte: '3.2', transporteInternacional: true },
          emisor: { ...cartaPorte.emisor, domicilioFiscal: { codigoPostal: 'SW1A 1AA', pais: 'GBR' } },
          updatedAt: NOW,
        },
      },
    },
    setWaybillStatus: [
      { values: { ...waybillOf('xyz'), ...stamp }, changes: { xyz: stamped } },
      {
        values: { ...waybillOf('carta-uuid'), userId: 'uuid', status: 'cancelada' },
        changes: {
          cartaPorte: {
            ...{ GSI1PK: 'STATUS#cancelada', estado: 'cancelada', updatedAt: NOW },
            data: { ...cartaPorte.data, status: 'cancelada' },
          },
        },
      },
    ],
    setWaybillStatusOfTrip: {
      values: { ...waybillOf('xyz'), viajeId: 'def', ...stamp },
      changes: {
        xyz: stamped,
        def: { updatedAt: NOW, fiscal: { cartaPorteId: 'xyz', cartaPorteFolio: 'CP-9', cartaPorteStatus: 'timbrada' } },
      },
    },
    deleteWaybill: { values: { ...own, cartaId: 'xyz' }, changes: { xyz: null } },

    addLocation: {
      values: { cartaId: 'xyz', orden: 3, tipo: 'Destino' },
      changes: { new: { PK: 'CARTA#xyz', SK: 'UBICACION#03', entityType: 'UBICACION', orden: 3, tipo: 'Destino' } },
    },
    changeLocation: {
      values: { cartaId: 'xyz', orden: 2, tipo: 'Origen' },
      changes: { location: null, changed: { ...ubicacionKey, entityType: 'UBICACION', orden: 2, tipo: 'Origen' } },
    },
    removeLocation: { values: { cartaId: 'xyz', orden: 2 }, changes: { location: null } },
    addGoods: {
      values: { cartaId: 'xyz', id: 'm2', pesoKg: 3 },
      changes: { new: { PK: 'CARTA#xyz', SK: 'MERCANCIA#m2', entityType: 'MERCANCIA', id: 'm2', pesoKg: 3 } },
    },
    changeGoods: {
      values: { cartaId: 'xyz', id: 'm1', pesoKg: 3 },
      changes: { goods: null, changed: { ...mercanciaKey, entityType: 'MERCANCIA', id: 'm1', pesoKg: 3 } },
    },
    removeGoods: { values: { cartaId: 'xyz', id: 'm1' }, changes: { goods: null } },
  },
  exempt: { waybillByFolio: 'the document leaves open whether the index exists, so none of its items has GSI3 keys' },
});

function unit(kind: string): Item {
  return {
    ...{ PK: 'USER#123', SK: `${kind}#x1`, entityType: kind, data: { id: 'x1', ejes: 2 } },
    ...{ createdAt: NOW, updatedAt: NOW },
  };
}

const db = place.db;
const idsOf = async (name: string, values: object) =>
  ((await (db[name] as Db[string])(values)) as { items: readonly Item[] }).items.map(
    ({ userId, id }) => `${userId} ${id}`,
  );

test('GSI1 returns the ids of items with either format of sort key', async () => {
  expect(await idsOf('tripsByStatus', { estado: 'en_curso' })).toEqual(['123 abc', 'uuid viaje-uuid']);
  expect(await idsOf('availableDrivers', {})).toEqual(['123 456', 'uuid conductor-uuid']);
  expect(await idsOf('waybillsByStatus', { status: 'timbrada' })).toEqual(['uuid carta-uuid']);
});

test("createTripWithWaybill refuses a waybill that exceeds the plan's limit", async () => {
  const trip = { ...own, data: newTrip, createdAt: NOW, updatedAt: NOW };
  const carta = { ...own, id: 'x1', data: newWaybill, createdAt: NOW, updatedAt: NOW };
  await db.editUser?.({ userId: '123', credits: { ...user.credits, monthlyUsed: 100 } });
  await expect(db.createTripWithWaybill?.({ ...trip, carta })).rejects.toMatchObject({
    name: 'TransactionCanceledException',
  });
});
