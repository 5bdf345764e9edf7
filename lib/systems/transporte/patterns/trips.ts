import type { TableDesign } from '../../../design/table';

/** The life of a trip. Its state is in `data`, as documented, and once more at the top level, for GSI1. */
export const trips = {
  scheduleTrip: {
    op: 'put',
    entity: 'Viaje',
    item: {
      userId: '<userId>',
      id: '<data.id>',
      nombre: '<data.nombre>',
      estado: '<data.estado>',
      data: '<data>',
      resources: '<resources?>',
      costos: '<costos?>',
      createdAt: '<createdAt>',
      updatedAt: '<createdAt>',
    },
  },
  // Transacciones. The document counts without looking at the plan's limit: here the waybill past it is refused, and so is one of
  // another user than the trip's, whose profile has another id. The trip may be under way already, and so has its copies for GSI1.
  createTripWithWaybill: {
    op: 'transaction',
    purpose: 'Crear viaje con carta porte (transacción)',
    steps: {
      viaje: {
        op: 'put',
        entity: 'Viaje',
        item: {
          userId: '<userId>',
          id: '<data.id>',
          nombre: '<data.nombre>',
          estado: '<data.estado?>',
          data: '<data>',
          resources: '<resources?>',
          tracking: '<tracking?>',
          fiscal: '<fiscal?>',
          costos: '<costos?>',
          createdAt: '<createdAt>',
          updatedAt: '<updatedAt>',
        },
      },
      carta: { op: 'put', entity: 'CartaPorte' },
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { 'credits.monthlyUsed': 1 },
        condition: {
          'data.id': '<carta.userId>',
          'credits.monthlyUsed': { lessThan: { attribute: 'subscription.limits.cartasPorteMes' } },
        },
      },
    },
  },
  rescheduleTrip: {
    op: 'update',
    purpose: 'A trip that has not begun; it is in no status index',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: {
      'data.fechaInicioProgramada': '<fechaInicioProgramada>',
      'data.fechaFinProgramada': '<fechaFinProgramada?>',
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.estado': 'programado' },
  },
  editTrip: {
    op: 'update',
    purpose: 'Name, places and costs of a trip that has not begun',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: {
      'data.nombre': '<nombre?>',
      nombre: '<nombre?>',
      'data.origen': '<origen?>',
      'data.destino': '<destino?>',
      'data.origenCoordenadas': '<origenCoordenadas?>',
      'data.destinoCoordenadas': '<destinoCoordenadas?>',
      costos: '<costos?>',
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.estado': 'programado' },
  },
  // Name and plate are as they were when they were assigned.
  assignResources: {
    op: 'update',
    purpose: 'Conductor, vehículo y remolque de un viaje que no ha iniciado',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: { resources: '<resources>', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': 'programado' },
  },
  startTrip: {
    op: 'update',
    purpose: 'Iniciar un viaje: está en GSI1',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: {
      'data.estado': 'en_curso',
      estado: 'en_curso',
      id: { attribute: 'data.id' },
      nombre: { attribute: 'data.nombre' },
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.estado': 'programado', 'data.fechaInicioProgramada': '<fechaInicioProgramada>' },
  },
  locateTrip: {
    op: 'update',
    purpose: 'La ubicación actual de un viaje en curso',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: { tracking: '<tracking>', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': 'en_curso' },
  },
  // Sparse Indexes: with its state, both keys of GSI1 go too.
  finishTrip: {
    op: 'update',
    purpose: 'Terminar un viaje: deja de estar en GSI1',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: { 'data.estado': 'completado', estado: 'completado', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': 'en_curso' },
  },
  cancelTrip: {
    op: 'update',
    purpose: 'Cancelar un viaje, programado o en curso',
    entity: 'Viaje',
    where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
    set: { 'data.estado': 'cancelado', estado: 'cancelado', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': { in: ['programado', 'en_curso'] } },
  },
} as const satisfies TableDesign['patterns'];
