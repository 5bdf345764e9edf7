import type { TableDesign } from '../../../design/table';

const driver = { PK: 'USER#<userId>', SK: 'CONDUCTOR#<conductorId>' } as const;
const vehicle = { PK: 'USER#<userId>', SK: 'VEHICULO#<vehiculoId>' } as const;
const trailer = { PK: 'USER#<userId>', SK: 'REMOLQUE#<remolqueId>' } as const;

const newUnit = {
  userId: '<userId>',
  id: '<data.id>',
  data: '<data>',
  createdAt: '<createdAt>',
  updatedAt: '<createdAt>',
} as const;
const unitChanges = { data: '<data?>', updatedAt: '<updatedAt>' } as const;

/** Drivers, vehicles and trailers. */
export const resources = {
  createDriver: {
    op: 'put',
    entity: 'Conductor',
    item: {
      userId: '<userId>',
      id: '<data.id>',
      nombre: '<data.nombre>',
      estado: '<data.estado>',
      data: '<data>',
      licencia: '<licencia?>',
      compensacion: '<compensacion?>',
      performance: '<performance?>',
      asignacion: '<asignacion?>',
      createdAt: '<createdAt>',
      updatedAt: '<createdAt>',
    },
  },
  editDriver: {
    op: 'update',
    entity: 'Conductor',
    where: driver,
    set: {
      'data.nombre': '<nombre?>',
      nombre: '<nombre?>',
      'data.rfc': '<rfc?>',
      'data.curp': '<curp?>',
      'data.email': '<email?>',
      'data.telefono': '<telefono?>',
      'data.activo': '<activo?>',
      licencia: '<licencia?>',
      compensacion: '<compensacion?>',
      performance: '<performance?>',
      asignacion: '<asignacion?>',
      updatedAt: '<updatedAt>',
    },
  },
  setDriverState: {
    op: 'update',
    purpose: 'Disponible o no',
    entity: 'Conductor',
    where: driver,
    set: {
      'data.estado': '<estado>',
      estado: '<estado>',
      nombre: { attribute: 'data.nombre' },
      updatedAt: '<updatedAt>',
    },
  },
  deleteDriver: { op: 'delete', entity: 'Conductor', where: driver },

  createVehicle: { op: 'put', entity: 'Vehiculo', item: newUnit },
  editVehicle: { op: 'update', entity: 'Vehiculo', where: vehicle, set: unitChanges },
  deleteVehicle: { op: 'delete', entity: 'Vehiculo', where: vehicle },

  createTrailer: { op: 'put', entity: 'Remolque', item: newUnit },
  editTrailer: { op: 'update', entity: 'Remolque', where: trailer, set: unitChanges },
  deleteTrailer: { op: 'delete', entity: 'Remolque', where: trailer },
} as const satisfies TableDesign['patterns'];
