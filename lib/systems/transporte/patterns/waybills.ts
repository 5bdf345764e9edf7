import type { TableDesign } from '../../../design/table';

const waybill = { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' } as const;
const trip = { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' } as const;

/** The parts of a waybill that a draft may lack. */
const parts = {
  emisor: '<emisor?>',
  receptor: '<receptor?>',
  totales: '<totales?>',
  ubicaciones: '<ubicaciones?>',
  mercancias: '<mercancias?>',
  figuras: '<figuras?>',
  autotransporte: '<autotransporte?>',
} as const;

const stamp = {
  op: 'update',
  entity: 'CartaPorte',
  where: waybill,
  set: {
    'data.status': 'timbrada',
    estado: 'timbrada',
    'data.folio': '<folio>',
    timbrado: '<timbrado>',
    updatedAt: '<updatedAt>',
  },
  condition: { 'data.status': 'borrador' },
} as const;

const cancel = {
  op: 'update',
  entity: 'CartaPorte',
  where: waybill,
  set: { 'data.status': 'cancelada', estado: 'cancelada', updatedAt: '<updatedAt>' },
  condition: { 'data.status': { not: 'cancelada' } },
} as const;

/** The life of a waybill (carta porte). A trip copies the number and state of its waybill, and both items change together. */
export const waybills = {
  draftWaybill: {
    op: 'put',
    purpose: 'A waybill that has no trip yet',
    entity: 'CartaPorte',
    item: {
      userId: '<userId>',
      id: '<data.id>',
      estado: '<data.status>',
      data: '<data>',
      ...parts,
      createdAt: '<createdAt>',
      updatedAt: '<createdAt>',
    },
  },
  editWaybill: {
    op: 'update',
    purpose: 'Everything of a waybill that is not stamped yet, with its trip',
    entity: 'CartaPorte',
    where: waybill,
    set: {
      viajeId: '<viajeId?>',
      'data.folio': '<folio?>',
      'data.versionCartaPorte': '<versionCartaPorte?>',
      'data.transporteInternacional': '<transporteInternacional?>',
      ...parts,
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.status': 'borrador' },
  },
  stampWaybill: { ...stamp, purpose: 'Timbrar una carta porte sin viaje' },
  stampWaybillOfTrip: {
    op: 'transaction',
    purpose: 'Timbrar la carta porte de un viaje, y en el viaje',
    steps: {
      carta: stamp,
      viaje: {
        op: 'update',
        entity: 'Viaje',
        where: trip,
        set: {
          'fiscal.cartaPorteFolio': '<folio>',
          'fiscal.cartaPorteStatus': 'timbrada',
          updatedAt: '<updatedAt>',
        },
        condition: { 'fiscal.cartaPorteId': '<cartaId>' },
      },
    },
  },
  cancelWaybill: { ...cancel, purpose: 'Cancelar una carta porte sin viaje' },
  cancelWaybillOfTrip: {
    op: 'transaction',
    purpose: 'Cancelar la carta porte de un viaje, y en el viaje',
    steps: {
      carta: cancel,
      viaje: {
        op: 'update',
        entity: 'Viaje',
        where: trip,
        set: { 'fiscal.cartaPorteStatus': 'cancelada', updatedAt: '<updatedAt>' },
        condition: { 'fiscal.cartaPorteId': '<cartaId>' },
      },
    },
  },
  deleteWaybill: {
    op: 'delete',
    purpose: 'A draft',
    entity: 'CartaPorte',
    where: waybill,
    condition: { 'data.status': 'borrador' },
  },

  addLocation: { op: 'put', entity: 'Ubicacion' },
  changeLocation: { op: 'put', entity: 'Ubicacion', replace: true, condition: { PK: { exists: true } } },
  removeLocation: { op: 'delete', entity: 'Ubicacion', where: { PK: 'CARTA#<cartaId>', SK: 'UBICACION#<orden:2>' } },

  addGoods: { op: 'put', entity: 'Mercancia' },
  changeGoods: { op: 'put', entity: 'Mercancia', replace: true, condition: { PK: { exists: true } } },
  removeGoods: { op: 'delete', entity: 'Mercancia', where: { PK: 'CARTA#<cartaId>', SK: 'MERCANCIA#<id>' } },
} as const satisfies TableDesign['patterns'];
