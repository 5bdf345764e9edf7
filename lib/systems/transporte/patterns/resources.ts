import type { TableDesign } from '../../../design/table';

const profile = { PK: 'USER#<userId>', SK: 'PROFILE#metadata' } as const;

/** The key of something that is a user's own. The texts stay those that they are, so that parameters are known by name. */
function own<const Kind extends string, const Id extends string>(kind: Kind, id: Id) {
  const SK = `${kind}#<${id}>` as const;
  return { PK: 'USER#<userId>', SK } as const;
}

/** One more of what a plan limits, as long as it does not. */
function oneMore<const Count extends string>(count: Count) {
  const limit = { lessThan: { attribute: `subscription.limits.${count}` } } as const;
  return {
    op: 'update',
    entity: 'User',
    where: profile,
    add: { [count]: 1 } as { readonly [C in Count]: 1 },
    condition: { [count]: limit } as { readonly [C in Count]: typeof limit },
  } as const;
}

/** One less, which makes room for another. Where nobody has counted yet, there is nothing to take away from. */
function oneLess<const Count extends string>(count: Count) {
  const some = { greaterThan: 0 } as const;
  return {
    op: 'update',
    entity: 'User',
    where: profile,
    add: { [count]: -1 } as { readonly [C in Count]: -1 },
    condition: { [count]: some } as { readonly [C in Count]: typeof some },
  } as const;
}

/** A change of state: in `data`, as documented, and in the copies that GSI1 shows. */
const state = {
  'data.estado': '<estado>',
  estado: '<estado>',
  id: { attribute: 'data.id' },
  updatedAt: '<updatedAt>',
} as const;

/** What has a plate: a vehicle, or a trailer. */
function plated<const Entity extends string, const Kind extends string, const Id extends string>(
  entity: Entity,
  kind: Kind,
  id: Id,
) {
  const where = own(kind, id);
  return {
    create: {
      op: 'put',
      entity,
      item: {
        userId: '<userId>',
        id: '<data.id>',
        estado: '<data.estado>',
        data: '<data>',
        createdAt: '<createdAt>',
        updatedAt: '<createdAt>',
      },
    },
    edit: {
      op: 'update',
      entity,
      where,
      set: {
        'data.placa': '<placa?>',
        'data.marca': '<marca?>',
        'data.modelo': '<modelo?>',
        'data.anio': '<anio?>',
        'data.activo': '<activo?>',
        updatedAt: '<updatedAt>',
      },
    },
    setState: { op: 'update', purpose: 'Available or not', entity, where, set: state },
    delete: { op: 'delete', entity, where },
  } as const;
}

const driver = own('CONDUCTOR', 'conductorId');
const vehicle = plated('Vehiculo', 'VEHICULO', 'vehiculoId');
const trailer = plated('Remolque', 'REMOLQUE', 'remolqueId');

/** Drivers, vehicles and trailers. */
export const resources = {
  createDriver: {
    op: 'transaction',
    purpose: 'As many as the plan allows',
    steps: {
      usuario: oneMore('conductores'),
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
          performance: '<performance?>',
          asignacion: '<asignacion?>',
          createdAt: '<createdAt>',
          updatedAt: '<createdAt>',
        },
      },
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
    purpose: 'Available or not',
    entity: 'Conductor',
    where: driver,
    set: { ...state, nombre: { attribute: 'data.nombre' } },
  },
  deleteDriver: {
    op: 'transaction',
    purpose: 'Which makes room for another',
    steps: {
      conductor: { op: 'delete', entity: 'Conductor', where: driver, condition: { PK: { exists: true } } },
      usuario: oneLess('conductores'),
    },
  },

  createVehicle: {
    op: 'transaction',
    purpose: 'As many as the plan allows',
    steps: { usuario: oneMore('vehiculos'), vehiculo: vehicle.create },
  },
  editVehicle: vehicle.edit,
  setVehicleState: vehicle.setState,
  deleteVehicle: {
    op: 'transaction',
    purpose: 'Which makes room for another',
    steps: { vehiculo: { ...vehicle.delete, condition: { PK: { exists: true } } }, usuario: oneLess('vehiculos') },
  },

  // The plan has no limit for trailers.
  createTrailer: trailer.create,
  editTrailer: trailer.edit,
  setTrailerState: trailer.setState,
  deleteTrailer: trailer.delete,
} as const satisfies TableDesign['patterns'];
