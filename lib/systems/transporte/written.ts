import { conductor, user } from './examples';
import { after, goods, IN_2100, items, location, profile, session, trip, unit, waybill } from './items';

/* What is given to the patterns that write, and what is there afterwards. */

export const NOW = { updatedAt: '2024-01-20T12:00:00Z' };
export const NEW = { createdAt: '2024-01-20T12:00:00Z', ...NOW };

export const newTripData = trip('123', 'abf', '2024-01-21T08:00:00Z', { estado: 'programado' })[1].data;
export const resources = {
  ...{ conductorId: '456', conductorNombre: 'Eva Díaz', vehiculoId: '789', vehiculoPlaca: '123-789' },
  remolqueId: '321',
};
export const editedTrip = {
  ...{ nombre: 'Viaje MTY-GDL', origen: 'Monterrey', destino: 'Zapopan' },
  ...{ origenCoordenadas: { lat: 25.6, lng: -100.3 }, destinoCoordenadas: { lat: 20.7, lng: -103.4 } },
};
export const costos = { combustibleEstimado: 1, peajesEstimados: 2, costoTotal: 3, precioCliente: 2, margen: -1 };
export const tracking = {
  ubicacionActual: { lat: 20.1, lng: -101.2 },
  ultimaActualizacion: NOW.updatedAt,
  progreso: 65,
};
export const newTripOfWaybill = {
  ...trip('123', 'abe', '2024-01-17T08:00:00Z', { estado: 'programado' })[1],
  ...{ resources, tracking, fiscal: { cartaPorteId: 'carta-e', cartaPorteStatus: 'borrador' }, costos },
};
export const copiesOf = ({ id, nombre, estado }: { id: string; nombre?: string; estado?: string }) => ({
  ...{ id, estado },
  ...(nombre === undefined ? {} : { nombre }),
});

export const newUser = profile('777', 0, { conductores: 0, vehiculos: 0 })[1];
export const editedUser = {
  ...{ email: 'ana@otra.example', fullName: 'Ana Ruiz Mora', avatarUrl: 'https://example.com/a.png' },
  timezone: 'America/Cancun',
};
export const config = { rfcEmisor: 'XXX010101XXX', razonSocial: 'Fletes SA', regimenFiscal: '601' };
export const newPlan = {
  ...newUser.subscription,
  planName: 'Mayor',
  limits: { conductores: 9, vehiculos: 9, cartasPorteMes: 99 },
};
const { PK: _, SK: __, entityType: ___, ...documentedUser } = user;

export const licencia = { tipo: 'E', numero: 'Z1', vigencia: '2026-06-15' };
export const compensacion = { salarioBase: 1000, porcentajeComision: 5 };
export const performance = {
  ...{ viajesCompletados: 1, kmTotales: 500, calificacionPromedio: 4.5, puntualidadPromedio: 90, incidentes: 0 },
};
export const asignacion = { viajeActualId: 'abc', vehiculoAsignadoId: '789', ubicacionActual: null };
export const editedDriver = {
  ...{ rfc: 'RUEV800101AAA', curp: 'RUEV800101MDFXXX09', email: 'eva@flete.example', telefono: '+52 1', activo: false },
};
export const editedUnit = { marca: 'Kenworth', anio: 2023, activo: false };
export const driverData = { id: 'd9', nombre: 'Luz Mora', estado: 'disponible' };
export const unitData = (id: string) => ({ id, estado: 'disponible', placa: `NEW-${id}` });
const { PK: ____, SK: _____, GSI1PK: ______, GSI1SK: _______, entityType: ________, ...documentedDriver } = conductor;

export const waybillData = waybill('123', 'carta-n', { status: 'borrador' })[1].data;
export const emisor = { rfc: 'XXX010101XXX', nombre: 'Fletes SA', regimenFiscal: '601' };
export const receptor = { ...emisor, nombre: 'Cliente SA', usoCfdi: 'S01' };
export const ubicaciones = [{ tipo: 'Origen', orden: 1, idUbicacion: 'OR000001' }];
export const mercancias = [{ id: 'm1', descripcion: 'Mercancía general' }];
export const totales = { distanciaTotal: 500, pesoBrutoTotal: 15000, numeroTotalMercancias: 1 };
export const figuras = [{ tipoFigura: '01', rfcFigura: 'XXX010101XXX', nombreFigura: 'Pedro López' }];
export const autotransporte = {
  ...{ permSct: 'TPAF01', numPermisoSct: '12345', configVehicular: 'T3S2', placaVm: 'ABC-123', anioModeloVm: 2022 },
  ...{ aseguraRespCivil: 'Seguros XYZ', polizaRespCivil: 'POL-123456' },
};
export const timbrado = {
  uuidFiscal: '12345678-1234-1234-1234-123456789012',
  fechaTimbrado: NOW.updatedAt,
  xmlGenerado: '<?xml version="1.0"?>',
  idCcp: 'CCP-1',
};
export const stamp = { folio: 'CP-000099', timbrado, ...NOW };
export const stamped = { estado: 'timbrada', timbrado, ...NOW };
export const movedLocation = location('xyz', 1)[1];
export const newGoods = goods('xyz', 'm9');

export const written = {
  created: ['Viaje', { ...newTripOfWaybill, ...copiesOf(newTripOfWaybill.data) }],
  itsWaybill: waybill('123', 'carta-e', { viajeId: 'abe', status: 'borrador' }),
  anaAtTheLimit: profile('123', 30, { conductores: 3, vehiculos: 2 }),

  newUser: ['User', { ...newUser, config }],
  anaEdited: ['User', { ...items.ana[1], data: { ...items.ana[1].data, ...editedUser }, config }],
  anaWithNewPlan: ['User', { ...items.ana[1], subscription: newPlan }],
  anaInNewMonth: ['User', { ...items.ana[1], credits: { ...items.ana[1].credits, monthlyUsed: 0, month: '2024-02' } }],
  userCounted: ['User', { ...documentedUser, conductores: 1, vehiculos: 0 }],
  sessionZ: session('123', 'zzz', IN_2100, NOW.updatedAt),
  sessionAbbTouched: session('123', 'abb', IN_2100 + 3600, '2024-01-15T09:00:00Z'),

  scheduled: ['Viaje', { userId: '123', ...copiesOf(newTripData), data: newTripData, resources, costos, ...NEW }],
  defMoved: after(
    items.def,
    { fechaInicioProgramada: '2024-02-02T08:00:00Z', fechaFinProgramada: '2024-02-02T18:00:00Z' },
    NOW,
  ),
  defEdited: after(items.def, editedTrip, { nombre: editedTrip.nombre, costos, ...NOW }),
  defAssigned: after(items.def, {}, { resources, ...NOW }),
  defStarted: after(
    items.def,
    { estado: 'en_curso' },
    { ...copiesOf({ ...items.def[1].data, estado: 'en_curso' }), ...NOW },
  ),
  abcLocated: after(items.abc, {}, { tracking, ...NOW }),
  abcFinished: after(items.abc, { estado: 'completado' }, { estado: 'completado', ...NOW }),
  abcCancelled: after(items.abc, { estado: 'cancelado' }, { estado: 'cancelado', ...NOW }),

  newDriver: [
    'Conductor',
    {
      userId: '123',
      ...copiesOf(driverData),
      data: driverData,
      licencia,
      compensacion,
      performance,
      asignacion,
      ...NEW,
    },
  ],
  anaWithDriver: profile('123', 29, { conductores: 4, vehiculos: 2 }),
  anaWithoutDriver: profile('123', 29, { conductores: 2, vehiculos: 2 }),
  driver456Edited: after(
    items.driver456,
    { nombre: 'Eva Ruiz', ...editedDriver },
    { nombre: 'Eva Ruiz', licencia, compensacion, performance, asignacion, ...NOW },
  ),
  driverBusy: after(
    ['Conductor', { userId: 'uuid', ...documentedDriver }],
    { estado: 'en_viaje' },
    { id: 'conductor-uuid', nombre: 'Pedro López', estado: 'en_viaje', ...NOW },
  ),
  newVehicle: ['Vehiculo', { userId: '123', ...copiesOf(unitData('799')), data: unitData('799'), ...NEW }],
  anaWithVehicle: profile('123', 29, { conductores: 3, vehiculos: 3 }),
  anaWithoutVehicle: profile('123', 29, { conductores: 3, vehiculos: 1 }),
  vehicle789Edited: after(items.vehicle789, { placa: 'XYZ-1', modelo: 'T680', ...editedUnit }, NOW),
  vehicle788Free: [
    'Vehiculo',
    { ...unit('Vehiculo', '123', '788')[1], data: { id: '788', estado: 'disponible' }, ...NOW },
  ],
  newTrailer: ['Remolque', { userId: '123', ...copiesOf(unitData('399')), data: unitData('399'), ...NEW }],
  trailerEdited: after(items.trailer, { placa: 'XYZ-2', modelo: 'R2', ...editedUnit }, NOW),
  trailer320Free: [
    'Remolque',
    { ...unit('Remolque', '123', '320')[1], data: { id: '320', estado: 'disponible' }, ...NOW },
  ],

  newWaybill: [
    'CartaPorte',
    {
      ...{ userId: '123', id: 'carta-n', estado: 'borrador', data: waybillData },
      ...{ emisor, receptor, totales, ubicaciones, mercancias, figuras, autotransporte, ...NEW },
    },
  ],
  draftEdited: after(items.draft, {}, { totales, mercancias, figuras, autotransporte, ...NOW }),
  draftStamped: after(items.draft, { status: 'timbrada', folio: 'CP-000099' }, { id: 'xyz', ...stamped }),
  draftOfTripStamped: after(
    items.draftOfTrip,
    { status: 'timbrada', folio: 'CP-000099' },
    { id: 'carta-h', ...stamped },
  ),
  tripStamped: [
    'Viaje',
    {
      ...items.withFiscal[1],
      fiscal: { cartaPorteId: 'carta-h', cartaPorteStatus: 'timbrada', cartaPorteFolio: 'CP-000099' },
      ...NOW,
    },
  ],
  draftCancelled: after(items.draft, { status: 'cancelada' }, { id: 'xyz', estado: 'cancelada', ...NOW }),
  draftOfTripCancelled: after(
    items.draftOfTrip,
    { status: 'cancelada' },
    { id: 'carta-h', estado: 'cancelada', ...NOW },
  ),
  tripWithCancelled: [
    'Viaje',
    { ...items.withFiscal[1], fiscal: { cartaPorteId: 'carta-h', cartaPorteStatus: 'cancelada' }, ...NOW },
  ],
  location03: location('xyz', 3),
  location01Moved: ['Ubicacion', { ...movedLocation, idUbicacion: 'OR000009' }],
  goodsM9: newGoods,
  goodsM0Changed: ['Mercancia', { ...goods('xyz', 'm0')[1], pesoKg: 12 }],
} as const;
