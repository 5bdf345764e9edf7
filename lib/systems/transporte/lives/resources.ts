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
import { available, CONDITION, ofUser } from './looks';

/* Cases for the patterns that write drivers, vehicles and trailers. */

export const resourceLives = {
  createDriver: {
    values: {
      ...{ userId: '123', data: driverData, licencia, compensacion, performance, asignacion },
      ...NEW,
    },
    shows: [
      ofUser('driversOfUser', '123', 'driver456', 'driver4567', 'driverZ', 'newDriver'),
      available('driverOfBea', 'driver456', 'CONDUCTOR', 'driverZ', 'driverOfCarl', 'newDriver'),
      ofUser('driversOfUser', '12', 'driverOfCarl'),
    ],
    refuses: [
      {
        why: 'an existing item',
        values: { userId: '12', data: { ...driverData, id: 'd1' }, ...NEW },
        error: CONDITION,
      },
    ],
  },
  editDriver: {
    values: {
      ...{ userId: '123', data: { ...driverData, id: '456', ...editedDriver } },
      ...{ licencia, compensacion, performance, asignacion, ...NEW },
    },
    shows: [
      ofUser('driversOfUser', '123', 'driver456Edited', 'driver4567', 'driverZ'),
      available('driverOfBea', 'driver456Edited', 'CONDUCTOR', 'driverZ', 'driverOfCarl'),
      ofUser('driversOfUser', '12', 'driverOfCarl'),
    ],
    refuses: [{ why: 'a missing driver', values: { userId: '12', data: driverData, ...NEW }, error: CONDITION }],
  },
  setDriverState: {
    values: { userId: 'uuid', conductorId: 'conductor-uuid', estado: 'en_viaje', ...NOW },
    shows: [
      ofUser('driversOfUser', 'uuid', 'driverBusy'),
      available('driverOfBea', 'driver456', 'driverZ', 'driverOfCarl'),
    ],
    refuses: [
      {
        why: 'a driver who does not exist',
        values: { userId: '123', conductorId: '999', estado: 'x', ...NOW },
        error: CONDITION,
      },
    ],
  },
  deleteDriver: {
    values: { userId: '123', conductorId: '456' },
    shows: [ofUser('driversOfUser', '123', 'driver4567', 'driverZ')],
  },

  createVehicle: {
    values: { userId: '123', data: unitData('799'), ...NEW },
    shows: [ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle789', 'vehicle7890', 'newVehicle')],
    refuses: [
      {
        why: 'an existing item',
        values: { userId: '123', data: unitData('789'), ...NEW },
        error: CONDITION,
      },
    ],
  },
  editVehicle: {
    values: { userId: '123', data: { id: '789', ...editedUnit }, ...NEW },
    shows: [ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle789Edited', 'vehicle7890')],
    refuses: [{ why: 'a missing vehicle', values: { userId: '123', data: unitData('999'), ...NEW }, error: CONDITION }],
  },
  deleteVehicle: {
    values: { userId: '123', vehiculoId: '789' },
    shows: [ofUser('vehiclesOfUser', '123', 'vehicle788', 'vehicle7890')],
  },

  createTrailer: {
    values: { userId: '123', data: unitData('399'), ...NEW },
    shows: [ofUser('trailersOfUser', '123', 'trailer320', 'trailer', 'newTrailer')],
    refuses: [
      {
        why: 'an existing item',
        values: { userId: '123', data: unitData('321'), ...NEW },
        error: CONDITION,
      },
    ],
  },
  editTrailer: {
    values: { userId: '123', data: { id: '321', ...editedUnit }, ...NEW },
    shows: [ofUser('trailersOfUser', '123', 'trailer320', 'trailerEdited')],
    refuses: [{ why: 'a missing trailer', values: { userId: '123', data: unitData('999'), ...NEW }, error: CONDITION }],
  },
  deleteTrailer: { values: { userId: '123', remolqueId: '320' }, shows: [ofUser('trailersOfUser', '123', 'trailer')] },
};
