import type { TableDesign } from '../../../design/table';

const trip = { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' } as const;

/** The life of a trip. Its state is in `data`, as documented, and copied to the top level for GSI1. */
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
  // Transacciones. "limits": refuses a waybill beyond the plan's limit, or of another user than the trip's.
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
    where: trip,
    set: {
      'data.fechaInicioProgramada': '<fechaInicioProgramada>',
      'data.fechaFinProgramada': '<fechaFinProgramada?>',
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.estado': { not: 'en_curso' } },
  },
  editTrip: {
    op: 'update',
    purpose: 'Name, places, resources, waybill and costs',
    entity: 'Viaje',
    where: trip,
    set: {
      'data.nombre': '<nombre?>',
      nombre: '<nombre?>',
      'data.origen': '<origen?>',
      'data.destino': '<destino?>',
      'data.origenCoordenadas': '<origenCoordenadas?>',
      'data.destinoCoordenadas': '<destinoCoordenadas?>',
      resources: '<resources?>',
      fiscal: '<fiscal?>',
      costos: '<costos?>',
      updatedAt: '<updatedAt>',
    },
  },
  startTrip: {
    op: 'update',
    purpose: 'Iniciar un viaje: está en GSI1',
    entity: 'Viaje',
    where: trip,
    set: {
      'data.estado': 'en_curso',
      estado: 'en_curso',
      nombre: { attribute: 'data.nombre' },
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.estado': { not: 'en_curso' }, 'data.fechaInicioProgramada': '<fechaInicioProgramada>' },
  },
  locateTrip: {
    op: 'update',
    purpose: 'La ubicación actual de un viaje en curso',
    entity: 'Viaje',
    where: trip,
    set: { tracking: '<tracking>', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': 'en_curso' },
  },
  // Sparse Indexes: a trip that is not under way leaves GSI1, and keeps its last state.
  finishTrip: {
    op: 'update',
    purpose: 'Terminar un viaje: deja de estar en GSI1',
    entity: 'Viaje',
    where: trip,
    set: { 'data.estado': 'completado', estado: 'completado', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': 'en_curso' },
  },
  cancelTrip: {
    op: 'update',
    purpose: 'Cancelar un viaje, haya iniciado o no',
    entity: 'Viaje',
    where: trip,
    set: { 'data.estado': 'cancelado', estado: 'cancelado', updatedAt: '<updatedAt>' },
    condition: { 'data.estado': { not: 'completado' } },
  },
} as const satisfies TableDesign['patterns'];
