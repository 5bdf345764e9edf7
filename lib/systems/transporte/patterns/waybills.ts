import type { TableDesign } from '../../../design/table';
import { ofUser } from '../attributes';

const waybill = { ...ofUser, SK: 'CARTA#<cartaId>' } as const;
const location = { PK: 'CARTA#<cartaId>', SK: 'UBICACION#<orden:2>' } as const;
const goods = { PK: 'CARTA#<cartaId>', SK: 'MERCANCIA#<id>' } as const;

/** The parts that may still be missing from a draft waybill. */
const parts = {
  emisor: '<emisor?>',
  receptor: '<receptor?>',
  totales: '<totales?>',
  ubicaciones: '<ubicaciones?>',
  mercancias: '<mercancias?>',
  figuras: '<figuras?>',
  autotransporte: '<autotransporte?>',
} as const;

const status = {
  op: 'update',
  entity: 'CartaPorte',
  where: waybill,
  set: {
    'data.status': '<status>',
    estado: '<status>',
    'data.folio': '<folio?>',
    timbrado: '<timbrado?>',
    updatedAt: '<updatedAt>',
  },
} as const;

export const waybills = {
  draftWaybill: {
    op: 'put',
    purpose: 'Creates a waybill without a trip',
    entity: 'CartaPorte',
    item: {
      userId: '<userId>',
      id: '<data.id>',
      estado: '<data.status>',
      data: '<data>',
      ...parts,
      createdAt: '<createdAt>',
      updatedAt: '<updatedAt>',
    },
  },
  editWaybill: {
    op: 'update',
    purpose: 'Replaces all data of a draft, including its trip',
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
  setWaybillStatus: { ...status, purpose: 'Timbrar una carta porte, por ejemplo, con su folio y su timbrado' },
  setWaybillStatusOfTrip: {
    op: 'transaction',
    purpose: 'De la carta porte y, "Denormalizado", de su viaje',
    steps: {
      carta: status,
      viaje: {
        op: 'update',
        entity: 'Viaje',
        where: { ...ofUser, SK: 'VIAJE#<viajeId>' },
        set: { 'fiscal.cartaPorteFolio': '<folio?>', 'fiscal.cartaPorteStatus': '<status>', updatedAt: '<updatedAt>' },
        condition: { 'fiscal.cartaPorteId': '<cartaId>' },
      },
    },
  },
  deleteWaybill: { op: 'delete', entity: 'CartaPorte', where: waybill },

  addLocation: { op: 'put', entity: 'Ubicacion' },
  changeLocation: { op: 'put', entity: 'Ubicacion', replace: true, condition: { PK: { exists: true } } },
  removeLocation: { op: 'delete', entity: 'Ubicacion', where: location },

  addGoods: { op: 'put', entity: 'Mercancia' },
  changeGoods: { op: 'put', entity: 'Mercancia', replace: true, condition: { PK: { exists: true } } },
  removeGoods: { op: 'delete', entity: 'Mercancia', where: goods },
} as const satisfies TableDesign['patterns'];
