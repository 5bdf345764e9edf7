import { IN_2100 } from './items';
import { CONDITION, look, ofUser, onDate, profileOf, TRANSACTION, tripOfAna, underWay } from './lives/looks';
import { resourceLives } from './lives/resources';
import {
  autotransporte,
  config,
  costos,
  credits,
  editedData,
  editedTrip,
  editedUser,
  emisor,
  figuras,
  fiscal,
  mercancias,
  movedLocation,
  NEW,
  NOW,
  newGoods,
  newPlan,
  newTripData,
  newUser,
  receptor,
  resources,
  stamp,
  totales,
  tracking,
  ubicaciones,
  waybillData,
  waybillParts,
  written,
} from './written';

/* Cases for the patterns that create, change and delete items, and for the writes that these patterns must refuse. */

const parts = (...returns: readonly string[]) => look('waybillParts', { cartaId: 'xyz' }, ...returns);

const nowhere = { userId: '123', viajeId: 'nowhere', ...NOW };
const atEight = { fechaInicioProgramada: '2024-01-15T08:00:00Z' };
const atTen = { fechaInicioProgramada: '2024-01-15T10:00:00Z' };
const refusesTrips = (...trips: readonly (readonly [string, object])[]) => [
  ...trips.map(([why, values]) => ({ why, values: { userId: '123', ...NOW, ...values }, error: CONDITION })),
];

const ofTrip = { userId: '123', cartaId: 'carta-h', viajeId: 'hij' };
const waybillOfHij = (...returns: readonly string[]) => look('waybillOfTrip', { viajeId: 'hij' }, ...returns);
const ANAS_WAYBILLS = ['waybillOfAna', 'draftOfTrip', 'draftOfWithFiscal', 'waybillZ'];
const XYZ = { first: ['goodsM0', 'MERCANCIA', 'goodsM2'], last: ['location01', 'UBICACION', 'location10'] };

export const lives = {
  createUser: {
    values: { data: newUser.data, subscription: newUser.subscription, credits: newUser.credits, config },
    shows: [profileOf('777', 'newUser'), profileOf('123', 'ana')],
    refuses: [
      {
        why: 'an existing user',
        values: { data: { ...newUser.data, id: '123' }, subscription: newPlan, credits: newUser.credits },
        error: CONDITION,
      },
    ],
  },
  editUser: {
    values: { userId: '123', ...editedUser, subscription: newPlan, credits, config },
    shows: [profileOf('123', 'anaEdited'), profileOf('1234', 'bea'), profileOf('nobody')],
    refuses: [{ why: 'a user who does not exist', values: { userId: 'nobody', fullName: 'Nadie' }, error: CONDITION }],
  },
  deleteUser: {
    values: { userId: '12' },
    shows: [profileOf('12'), profileOf('123', 'ana'), profileOf('uuid', 'USER')],
  },

  openSession: {
    values: written.sessionZ[1],
    shows: [ofUser('sessionsOfUser', '123', 'sessionAbb', 'SESSION', 'sessionAbd', 'sessionZ')],
    refuses: [{ why: 'an open session', values: { ...written.sessionZ[1], sessionId: 'abb' }, error: CONDITION }],
  },
  touchSession: {
    values: { userId: '123', sessionId: 'abb', ttl: IN_2100 + 3600 },
    shows: [ofUser('sessionsOfUser', '123', 'sessionAbbTouched', 'SESSION', 'sessionAbd')],
    refuses: [{ why: 'a closed session', values: { userId: '123', sessionId: 'zzz', ttl: IN_2100 }, error: CONDITION }],
  },
  closeSession: {
    values: { userId: '123', sessionId: 'abb' },
    shows: [ofUser('sessionsOfUser', '123', 'SESSION', 'sessionAbd')],
  },

  createTrip: {
    values: { userId: '123', data: newTripData, resources, tracking, fiscal, costos, ...NEW },
    shows: [tripOfAna('abf', 'scheduled'), onDate('2024-01-21', 'scheduled'), tripOfAna('abc', 'abc')],
    refuses: [
      {
        why: 'an existing item',
        values: { userId: '123', data: { ...newTripData, id: 'abc' }, ...NEW },
        error: CONDITION,
      },
    ],
  },
  editTrip: {
    values: { userId: '123', viajeId: 'def', data: editedTrip, resources, fiscal, costos, ...NOW },
    shows: [
      tripOfAna('def', 'defEdited'),
      onDate('2024-02-02', 'defEdited'),
      underWay('abcd', 'abbOfBea', 'abc', 'VIAJE', 'last', 'dayAfter', 'defEdited'),
      tripOfAna('abc', 'abc'),
    ],
    refuses: refusesTrips(['no trip', { ...nowhere, data: editedTrip }]),
  },
  setTripState: {
    values: { userId: '123', viajeId: 'abc', estado: 'completado', ...atEight, ...NOW },
    shows: [
      look('setTripState', { userId: '123', viajeId: 'def', estado: 'en_curso', ...atTen, ...NOW }),
      tripOfAna('def', 'defStarted'),
      // A finished trip leaves GSI1, but no other index.
      underWay('abcd', 'abbOfBea', 'defStarted', 'VIAJE', 'last', 'dayAfter'),
      onDate('2024-01-15', 'abbOfBea', 'abcFinished', 'defStarted', 'finished', 'VIAJE', 'last'),
      look('getTrip', { userId: '1234', viajeId: 'abc' }, 'abcOfBea'),
      tripOfAna('nowhere'),
    ],
    refuses: refusesTrips(
      [
        'a trip that starts at a different time',
        { viajeId: 'n01', estado: 'en_curso', fechaInicioProgramada: '2024-01-15T07:00:00Z' },
      ],
      ['no trip', { ...nowhere, estado: 'en_curso', ...atTen }],
    ),
  },
  locateTrip: {
    values: { userId: '123', viajeId: 'abc', tracking, ...NOW },
    shows: [tripOfAna('abc', 'abcLocated'), tripOfAna('def', 'def')],
    refuses: refusesTrips(['no trip', { ...nowhere, tracking }]),
  },

  ...resourceLives,

  draftWaybill: {
    values: {
      ...{ userId: '123', data: waybillData, emisor, receptor, totales, ubicaciones, mercancias },
      ...{ figuras, autotransporte },
      ...NEW,
    },
    shows: [
      ofUser('waybillsOfUser', '123', ...ANAS_WAYBILLS.toSpliced(3, 0, 'newWaybill'), 'draft'),
      ofUser('waybillsOfUser', '12', 'waybillOfCarl'),
    ],
    refuses: [
      {
        why: 'an existing item',
        values: { userId: '12', data: { ...waybillData, id: 'carta-k' }, ...NEW },
        error: CONDITION,
      },
    ],
  },
  editWaybill: {
    values: { userId: '123', cartaId: 'xyz', viajeId: 'def', ...editedData, ...waybillParts, ...NOW },
    shows: [
      ofUser('waybillsOfUser', '123', ...ANAS_WAYBILLS, 'draftEdited'),
      look('waybillOfTrip', { viajeId: 'def' }, 'draftEdited'),
      look('waybillByFolio', { folio: 'CP-000098' }, 'draftEdited'),
      ofUser('waybillsOfUser', 'nobody'),
    ],
    refuses: [
      { why: 'a stamped waybill', values: { userId: '123', cartaId: 'carta-z', totales, ...NOW }, error: CONDITION },
      { why: 'a missing waybill', values: { userId: 'nobody', cartaId: 'xyz', totales, ...NOW }, error: CONDITION },
    ],
  },
  setWaybillStatus: {
    values: { userId: '123', cartaId: 'xyz', ...stamp },
    shows: [
      ofUser('waybillsOfUser', '123', ...ANAS_WAYBILLS, 'draftStamped'),
      look('waybillByFolio', { folio: 'CP-000099' }, 'draftStamped'),
    ],
    refuses: [{ why: 'a missing waybill', values: { userId: '123', cartaId: 'nowhere', ...stamp }, error: CONDITION }],
  },
  setWaybillStatusOfTrip: {
    values: { ...ofTrip, ...stamp },
    shows: [
      waybillOfHij('draftOfTripStamped', 'draftOfWithFiscal'),
      tripOfAna('hij', 'tripStamped'),
      look('waybillByFolio', { folio: 'CP-000099' }, 'draftOfTripStamped'),
      tripOfAna('ijk', 'lost'),
    ],
    refuses: [
      {
        why: 'a trip with a different waybill',
        values: { ...ofTrip, cartaId: 'carta-j', ...stamp },
        error: TRANSACTION,
      },
    ],
  },
  deleteWaybill: {
    values: { userId: '123', cartaId: 'xyz' },
    shows: [ofUser('waybillsOfUser', '123', ...ANAS_WAYBILLS)],
  },

  addLocation: {
    values: written.location03[1],
    shows: [parts(...XYZ.first, 'location01', 'UBICACION', 'location03', 'location10')],
    refuses: [{ why: 'an existing item', values: { ...written.location03[1], orden: 1 }, error: CONDITION }],
  },
  changeLocation: {
    values: written.location01Moved[1],
    shows: [parts(...XYZ.first, 'location01Moved', 'UBICACION', 'location10')],
    refuses: [{ why: 'a missing location', values: { ...movedLocation, orden: 7 }, error: CONDITION }],
  },
  removeLocation: {
    values: { cartaId: 'xyz', orden: 1 },
    shows: [parts(...XYZ.first, 'UBICACION', 'location10')],
  },
  addGoods: {
    values: newGoods[1],
    shows: [parts(...XYZ.first, 'goodsM9', ...XYZ.last)],
    refuses: [{ why: 'existing goods', values: { ...newGoods[1], id: 'm0' }, error: CONDITION }],
  },
  changeGoods: {
    values: written.goodsM0Changed[1],
    shows: [parts('goodsM0Changed', 'MERCANCIA', 'goodsM2', ...XYZ.last)],
    refuses: [{ why: 'missing goods', values: { ...newGoods[1], id: 'm8' }, error: CONDITION }],
  },
  removeGoods: { values: { cartaId: 'xyz', id: 'm0' }, shows: [parts('MERCANCIA', 'goodsM2', ...XYZ.last)] },
};
