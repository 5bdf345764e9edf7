import {
  asignacion,
  compensacion,
  driverData,
  editedDriver,
  editedUnit,
  licencia,
  NEW,
  NOW,
  performance,
  unitData,
} from '../written';
import { available, CONDITION, ofUser, profileOf, TRANSACTION } from './looks';

/* Drivers, vehicles and trailers: the cases of the patterns that write them. */

export const resourceLives = {
  createDriver: {
    values: {
      ...{ userId: '123', data: driverData, licencia, compensacion, performance, asignacion },
      createdAt: NEW.createdAt,
    },
    shows: [
      ofUser('driversOfUser', '123', 'driver456', 'driver4567', 'driverZ', 'newDriver'),
      profileOf('123', 'anaWithDriver'),
      available('driverOfBea', 'driver456', 'CONDUCTOR', 'driverZ', 'driverOfCarl', 'newDriver'),
      ofUser('driversOfUser', '12', 'driverOfCarl'),
      profileOf('12', 'carl'),
      profileOf('1234', 'bea'),
      profileOf('uuid', 'USER'),
    ],
    refuses: [
      ['one more than the plan allows', '123', 'd8'] as const,
      ['one of a user who was at the limit before', '1234', 'd8'] as const,
      ['one of a user who has not been counted', 'uuid', 'd8'] as const,
      ['one that is there', '12', 'd1'] as const,
    ].map(([why, userId, id]) => ({
      why,
      values: { userId, data: { ...driverData, id }, createdAt: NEW.createdAt },
      error: TRANSACTION,
    })),
  },
  editDriver: {
    values: {
      ...{ userId: '123', conductorId: '456', nombre: 'Eva Ruiz', ...editedDriver },
      ...{ licencia, compensacion, performance, asignacion, ...NOW },
    },
    shows: [
      ofUser('driversOfUser', '123', 'driver456Edited', 'driver4567', 'driverZ'),
      available('driverOfBea', 'driver456Edited', 'CONDUCTOR', 'driverZ', 'driverOfCarl'),
    ],
    refuses: [
      { why: 'nobody', values: { userId: '123', conductorId: '999', nombre: 'Nadie', ...NOW }, error: CONDITION },
    ],
  },
  setDriverState: {
    values: { userId: 'uuid', conductorId: 'conductor-uuid', estado: 'en_viaje', ...NOW },
    shows: [
      ofUser('driversOfUser', 'uuid', 'driverBusy'),
      available('driverOfBea', 'driver456', 'driverZ', 'driverOfCarl'),
    ],
    refuses: [{ why: 'nobody', values: { userId: '123', conductorId: '999', estado: 'x', ...NOW }, error: CONDITION }],
  },
  deleteDriver: {
    values: { userId: '123', conductorId: '456' },
    shows: [
      ofUser('driversOfUser', '123', 'driver4567', 'driverZ'),
      profileOf('123', 'anaWithoutDriver'),
      profileOf('uuid', 'USER'),
    ],
    refuses: [
      { why: 'nobody', values: { userId: '123', conductorId: '456' }, error: TRANSACTION },
      {
        why: 'one of a user who has not been counted',
        values: { userId: 'uuid', conductorId: 'conductor-uuid' },
        error: TRANSACTION,
      },
    ],
  },

  createVehicle: {
    values: { userId: '123', data: unitData('799'), createdAt: NEW.createdAt },
    shows: [
      ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle789', 'vehicle7890', 'newVehicle'),
      profileOf('123', 'anaWithVehicle'),
      ofUser('vehiclesOfUser', '12', 'vehicleOfCarl'),
      profileOf('12', 'carl'),
      profileOf('1234', 'bea'),
      profileOf('uuid', 'USER'),
    ],
    refuses: [
      ['one more than the plan allows', '123', 'v8'] as const,
      ['one of a user who was at the limit before', '1234', 'v8'] as const,
      ['one of a user who has not been counted', 'uuid', 'v8'] as const,
      ['one that is there', '12', 'v1'] as const,
    ].map(([why, userId, id]) => ({
      why,
      values: { userId, data: unitData(id), createdAt: NEW.createdAt },
      error: TRANSACTION,
    })),
  },
  editVehicle: {
    values: { userId: '123', vehiculoId: '789', placa: 'XYZ-1', modelo: 'T680', ...editedUnit, ...NOW },
    shows: [ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle789Edited', 'vehicle7890')],
    refuses: [{ why: 'none', values: { userId: '123', vehiculoId: '999', placa: 'X', ...NOW }, error: CONDITION }],
  },
  setVehicleState: {
    values: { userId: '123', vehiculoId: '788', estado: 'disponible', ...NOW },
    shows: [ofUser('vehiclesOfUser', '123', 'vehicle788Free', 'vehicle789', 'vehicle7890')],
    refuses: [{ why: 'none', values: { userId: '123', vehiculoId: '999', estado: 'x', ...NOW }, error: CONDITION }],
  },
  deleteVehicle: {
    values: { userId: '123', vehiculoId: '789' },
    shows: [
      ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle7890'),
      profileOf('123', 'anaWithoutVehicle'),
      ofUser('vehiclesOfUser', '77', 'vehicleOfUncounted'),
    ],
    refuses: [
      { why: 'none', values: { userId: '123', vehiculoId: '789' }, error: TRANSACTION },
      {
        why: 'one of a user who has not been counted',
        values: { userId: '77', vehiculoId: 'v1' },
        error: TRANSACTION,
      },
    ],
  },

  createTrailer: {
    values: { userId: '123', data: unitData('399'), createdAt: NEW.createdAt },
    shows: [ofUser('trailersOfUser', '123', 'trailer320', 'trailer', 'newTrailer')],
    refuses: [
      {
        why: 'one that is there',
        values: { userId: '123', data: unitData('321'), createdAt: NEW.createdAt },
        error: CONDITION,
      },
    ],
  },
  editTrailer: {
    values: { userId: '123', remolqueId: '321', placa: 'XYZ-2', modelo: 'R2', ...editedUnit, ...NOW },
    shows: [ofUser('trailersOfUser', '123', 'trailer320', 'trailerEdited')],
    refuses: [{ why: 'none', values: { userId: '123', remolqueId: '999', placa: 'X', ...NOW }, error: CONDITION }],
  },
  setTrailerState: {
    values: { userId: '123', remolqueId: '320', estado: 'disponible', ...NOW },
    shows: [ofUser('trailersOfUser', '123', 'trailer320Free', 'trailer')],
    refuses: [{ why: 'none', values: { userId: '123', remolqueId: '999', estado: 'x', ...NOW }, error: CONDITION }],
  },
  deleteTrailer: { values: { userId: '123', remolqueId: '320' }, shows: [ofUser('trailersOfUser', '123', 'trailer')] },
};
