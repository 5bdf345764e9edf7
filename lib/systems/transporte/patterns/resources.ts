import type { TableDesign } from '../../../design/table';

/** Drivers, vehicles and trailers. */
export const resources = {
  createDriver: {
    op: 'transaction',
    purpose: 'As many as the plan allows',
    steps: {
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { conductores: 1 },
        condition: { conductores: { lessThan: { attribute: 'subscription.limits.conductores' } } },
      },
      conductor: {
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
          createdAt: '<createdAt>',
          updatedAt: '<createdAt>',
        },
      },
    },
  },
  editDriver: {
    op: 'update',
    entity: 'Conductor',
    where: { PK: 'USER#<userId>', SK: 'CONDUCTOR#<conductorId>' },
    set: {
      'data.nombre': '<nombre?>',
      nombre: '<nombre?>',
      'data.telefono': '<telefono?>',
      licencia: '<licencia?>',
      updatedAt: '<updatedAt>',
    },
  },
  setDriverState: {
    op: 'update',
    purpose: 'Available or not',
    entity: 'Conductor',
    where: { PK: 'USER#<userId>', SK: 'CONDUCTOR#<conductorId>' },
    set: {
      'data.estado': '<estado>',
      estado: '<estado>',
      id: { attribute: 'data.id' },
      nombre: { attribute: 'data.nombre' },
      updatedAt: '<updatedAt>',
    },
  },
  deleteDriver: {
    op: 'transaction',
    purpose: 'Which makes room for another',
    steps: {
      conductor: {
        op: 'delete',
        entity: 'Conductor',
        where: { PK: 'USER#<userId>', SK: 'CONDUCTOR#<conductorId>' },
        condition: { PK: { exists: true } },
      },
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { conductores: -1 },
      },
    },
  },

  createVehicle: {
    op: 'transaction',
    purpose: 'As many as the plan allows',
    steps: {
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { vehiculos: 1 },
        condition: { vehiculos: { lessThan: { attribute: 'subscription.limits.vehiculos' } } },
      },
      vehiculo: {
        op: 'put',
        entity: 'Vehiculo',
        item: {
          userId: '<userId>',
          id: '<data.id>',
          estado: '<data.estado>',
          data: '<data>',
          createdAt: '<createdAt>',
          updatedAt: '<createdAt>',
        },
      },
    },
  },
  editVehicle: {
    op: 'update',
    entity: 'Vehiculo',
    where: { PK: 'USER#<userId>', SK: 'VEHICULO#<vehiculoId>' },
    set: {
      'data.placa': '<placa?>',
      'data.modelo': '<modelo?>',
      updatedAt: '<updatedAt>',
    },
  },
  setVehicleState: {
    op: 'update',
    purpose: 'Available or not',
    entity: 'Vehiculo',
    where: { PK: 'USER#<userId>', SK: 'VEHICULO#<vehiculoId>' },
    set: {
      'data.estado': '<estado>',
      estado: '<estado>',
      id: { attribute: 'data.id' },
      updatedAt: '<updatedAt>',
    },
  },
  deleteVehicle: {
    op: 'transaction',
    purpose: 'Which makes room for another',
    steps: {
      vehiculo: {
        op: 'delete',
        entity: 'Vehiculo',
        where: { PK: 'USER#<userId>', SK: 'VEHICULO#<vehiculoId>' },
        condition: { PK: { exists: true } },
      },
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { vehiculos: -1 },
      },
    },
  },

  // The plan has no limit for trailers.
  createTrailer: {
    op: 'put',
    entity: 'Remolque',
    item: {
      userId: '<userId>',
      id: '<data.id>',
      estado: '<data.estado>',
      data: '<data>',
      createdAt: '<createdAt>',
      updatedAt: '<createdAt>',
    },
  },
  editTrailer: {
    op: 'update',
    entity: 'Remolque',
    where: { PK: 'USER#<userId>', SK: 'REMOLQUE#<remolqueId>' },
    set: {
      'data.placa': '<placa?>',
      'data.modelo': '<modelo?>',
      updatedAt: '<updatedAt>',
    },
  },
  setTrailerState: {
    op: 'update',
    purpose: 'Available or not',
    entity: 'Remolque',
    where: { PK: 'USER#<userId>', SK: 'REMOLQUE#<remolqueId>' },
    set: {
      'data.estado': '<estado>',
      estado: '<estado>',
      id: { attribute: 'data.id' },
      updatedAt: '<updatedAt>',
    },
  },
  deleteTrailer: { op: 'delete', entity: 'Remolque', where: { PK: 'USER#<userId>', SK: 'REMOLQUE#<remolqueId>' } },
} as const satisfies TableDesign['patterns'];
