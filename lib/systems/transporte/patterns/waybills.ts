import type { TableDesign } from '../../../design/table';

/** The life of a waybill (carta porte). That of a trip has its number and state in the trip too, and both change together. */
export const waybills = {
  draftWaybill: {
    op: 'transaction',
    purpose: 'A waybill that no trip has yet, counted as all are',
    steps: {
      carta: {
        op: 'put',
        entity: 'CartaPorte',
        item: {
          userId: '<userId>',
          id: '<data.id>',
          estado: '<data.status>',
          data: '<data>',
          emisor: '<emisor?>',
          receptor: '<receptor?>',
          totales: '<totales?>',
          ubicaciones: '<ubicaciones?>',
          mercancias: '<mercancias?>',
          figuras: '<figuras?>',
          autotransporte: '<autotransporte?>',
          createdAt: '<createdAt>',
          updatedAt: '<createdAt>',
        },
      },
      usuario: {
        op: 'update',
        entity: 'User',
        where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
        add: { 'credits.monthlyUsed': 1 },
        condition: { 'credits.monthlyUsed': { lessThan: { attribute: 'subscription.limits.cartasPorteMes' } } },
      },
    },
  },
  // Not the addresses, whose postal codes are held to the kind of trip: a draft with other ones is another draft.
  editWaybill: {
    op: 'update',
    purpose: 'What is carried, by whom and with what, of a waybill that is not stamped yet',
    entity: 'CartaPorte',
    where: { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' },
    set: {
      totales: '<totales?>',
      mercancias: '<mercancias?>',
      figuras: '<figuras?>',
      autotransporte: '<autotransporte?>',
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.status': 'borrador' },
  },
  stampWaybill: {
    op: 'update',
    purpose: 'Timbrar una carta porte sin viaje',
    entity: 'CartaPorte',
    where: { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' },
    set: {
      'data.status': 'timbrada',
      estado: 'timbrada',
      id: { attribute: 'data.id' },
      'data.folio': '<folio>',
      timbrado: '<timbrado>',
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.status': 'borrador', viajeId: { exists: false } },
  },
  stampWaybillOfTrip: {
    op: 'transaction',
    purpose: 'Timbrar la carta porte de un viaje, y en el viaje',
    steps: {
      carta: {
        op: 'update',
        entity: 'CartaPorte',
        where: { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' },
        set: {
          'data.status': 'timbrada',
          estado: 'timbrada',
          id: { attribute: 'data.id' },
          'data.folio': '<folio>',
          timbrado: '<timbrado>',
          updatedAt: '<updatedAt>',
        },
        condition: { 'data.status': 'borrador', viajeId: '<viajeId>' },
      },
      viaje: {
        op: 'update',
        entity: 'Viaje',
        where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
        set: {
          'fiscal.cartaPorteFolio': '<folio>',
          'fiscal.cartaPorteStatus': 'timbrada',
          updatedAt: '<updatedAt>',
        },
        condition: { 'fiscal.cartaPorteId': '<cartaId>' },
      },
    },
  },
  cancelWaybill: {
    op: 'update',
    purpose: 'Cancelar una carta porte sin viaje',
    entity: 'CartaPorte',
    where: { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' },
    set: {
      'data.status': 'cancelada',
      estado: 'cancelada',
      id: { attribute: 'data.id' },
      updatedAt: '<updatedAt>',
    },
    condition: { 'data.status': { not: 'cancelada' }, viajeId: { exists: false } },
  },
  cancelWaybillOfTrip: {
    op: 'transaction',
    purpose: 'Cancelar la carta porte de un viaje, y en el viaje',
    steps: {
      carta: {
        op: 'update',
        entity: 'CartaPorte',
        where: { PK: 'USER#<userId>', SK: 'CARTA#<cartaId>' },
        set: {
          'data.status': 'cancelada',
          estado: 'cancelada',
          id: { attribute: 'data.id' },
          updatedAt: '<updatedAt>',
        },
        condition: { 'data.status': { not: 'cancelada' }, viajeId: '<viajeId>' },
      },
      viaje: {
        op: 'update',
        entity: 'Viaje',
        where: { PK: 'USER#<userId>', SK: 'VIAJE#<viajeId>' },
        set: { 'fiscal.cartaPorteStatus': 'cancelada', updatedAt: '<updatedAt>' },
        condition: { 'fiscal.cartaPorteId': '<cartaId>' },
      },
    },
  },

  addLocation: { op: 'put', entity: 'Ubicacion' },
  changeLocation: { op: 'put', entity: 'Ubicacion', replace: true, condition: { PK: { exists: true } } },
  removeLocation: { op: 'delete', entity: 'Ubicacion', where: { PK: 'CARTA#<cartaId>', SK: 'UBICACION#<orden:2>' } },

  addGoods: { op: 'put', entity: 'Mercancia' },
  changeGoods: { op: 'put', entity: 'Mercancia', replace: true, condition: { PK: { exists: true } } },
  removeGoods: { op: 'delete', entity: 'Mercancia', where: { PK: 'CARTA#<cartaId>', SK: 'MERCANCIA#<id>' } },
} as const satisfies TableDesign['patterns'];
