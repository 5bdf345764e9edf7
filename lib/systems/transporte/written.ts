import { conductor } from './examples';
import { after, goods, IN_2100, items, location, profile, session, trip, waybill } from './items';

/* The values that the cases pass to write patterns, and the resulting items. */

export const NOW = { updatedAt: '2024-01-20T12:00:00Z' };
export const NEW = { createdAt: '2024-01-20T12:00:00Z', ...NOW };

export const newTripData = trip('123', 'abf', '2024-01-21T08:00:00Z', { estado: 'programado' })[1].data;
export const resources = {
  ...{ conductorId: '456', conductorNombre: 'Eva Díaz', vehiculoId: '789', vehiculoPlaca: '123-789' },
  remolqueId: '321',
};
export const editedTrip = {
  ...{ id: 'def', nombre: 'Viaje MTY-GDL', estado: 'en_curso', origen: 'Monterrey', destino: 'Zapopan' },
  ...{ origenCoordenadas: { lat: 25.6, lng: -100.3 }, destinoCoordenadas: { lat: 20.7, lng: -103.4 } },
  ...{ fechaInicioProgramada: '2024-02-02T08:00:00Z', fechaFinProgramada: '2024-02-02T18:00:00Z' },
};
export const costos = { combustibleEstimado: 1, peajesEstimados: 2, costoTotal: 3, precioCliente: 2, margen: -1 };
export const fiscal = { cartaPorteId: 'carta-d' };
export const tracking = {
  ubicacionActual: { lat: 20.1, lng: -101.2 },
  ultimaActualizacion: NOW.updatedAt,
  progreso: 65,
};
export const newTripOfWaybill = {
  ...trip('123', 'abe', '2024-01-17T08:00:00Z', { estado: 'programado' })[1],
  ...{ resources, tracking, fiscal: { cartaPorteId: 'carta-e', cartaPorteStatus: 'borrador' }, costos },
};
export const copiesOf = ({ nombre, estado }: { nombre?: string; estado?: string }) => ({
  ...(estado === undefined ? {} : { estado }),
  ...(nombre === undefined ? {} : { nombre }),
});

export const newUser = profile('777', 0)[1];
export const editedUser = {
  ...{ email: 'ana@otra.example', fullName: 'Ana Ruiz Mora', avatarUrl: 'https://example.com/a.png' },
  timezone: 'America/Cancun',
};
export const config = { rfcEmisor: 'XXX010101XXX', razonSocial: 'Fletes SA', regimenFiscal: '601' };
export const credits = { balance: 4, monthlyUsed: 0, totalConsumed: 61 };
export const newPlan = {
  ...newUser.subscription,
  planName: 'Mayor',
  limits: { conductores: 9, vehiculos: 9, cartasPorteMes: 99 },
};

export const licencia = { tipo: 'E', numero: 'Z1', vigencia: '2026-06-15' };
export const compensacion = { salarioBase: 1000, porcentajeComision: 5 };
export const performance = {
  ...{ viajesCompletados: 1, kmTotales: 500, calificacionPromedio: 4.5, puntualidadPromedio: 90, incidentes: 0 },
};
export const asignacion = { viajeActualId: 'abc', vehiculoAsignadoId: '789', ubicacionActual: null };
export const editedDriver = {
  ...{ rfc: 'RUEV800101AAA', curp: 'RUEV800101MDFXXX09', email: 'eva@flete.example', telefono: '+52 1', activo: false },
};
/** The document shows no vehicle or trailer, so the schema of `data` is open. */
export const editedUnit = { placa: 'XYZ-1', marca: 'Kenworth', anio: 2023 };
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
export const waybillParts = { emisor, receptor, totales, ubicaciones, mercancias, figuras, autotransporte };
export const editedData = { folio: 'CP-000098', versionCartaPorte: '3.2', transporteInternacional: true };
export const timbrado = {
  uuidFiscal: '12345678-1234-1234-1234-123456789012',
  fechaTimbrado: NOW.updatedAt,
  xmlGenerado: '<?xml version="1.0"?>',
  idCcp: 'CCP-1',
};
export const stamp = { status: 'timbrada', folio: 'CP-000099', timbrado, ...NOW };
export const stamped = { estado: 'timbrada', timbrado, ...NOW };
export const movedLocation = location('xyz', 1)[1];
export const newGoods = goods('xyz', 'm9');

export const written = {
  created: ['Viaje', { ...newTripOfWaybill, ...copiesOf(newTripOfWaybill.data) }],
  itsWaybill: waybill('123', 'carta-e', { viajeId: 'abe', status: 'borrador' }),
  anaAtTheLimit: profile('123', 30),

  newUser: ['User', { ...newUser, config }],
  anaEdited: [
    'User',
    { ...items.ana[1], data: { ...items.ana[1].data, ...editedUser }, subscription: newPlan, credits, config },
  ],
  sessionZ: session('123', 'zzz', IN_2100),
  sessionAbbTouched: session('123', 'abb', IN_2100 + 3600),

  scheduled: [
    'Viaje',
    {
      ...{ userId: '123', id: 'abf', ...copiesOf(newTripData), data: newTripData },
      ...{ resources, tracking, fiscal, costos, ...NEW },
    },
  ],
  defEdited: after(items.def, editedTrip, { ...copiesOf(editedTrip), resources, fiscal, costos, ...NOW }),
  defStarted: after(
    items.def,
    { estado: 'en_curso' },
    { ...copiesOf({ ...items.def[1].data, estado: 'en_curso' }), ...NOW },
  ),
  abcFinished: after(items.abc, { estado: 'completado' }, { estado: 'completado', ...NOW }),
  abcLocated: after(items.abc, {}, { tracking, ...NOW }),

  newDriver: [
    'Conductor',
    {
      userId: '123',
      id: 'd9',
      ...copiesOf(driverData),
      data: driverData,
      licencia,
      compensacion,
      performance,
      asignacion,
      ...NEW,
    },
  ],
  driver456Edited: [
    'Conductor',
    {
      ...{ userId: '123', id: '456', ...copiesOf(driverData), data: { ...driverData, id: '456', ...editedDriver } },
      ...{ licencia, compensacion, performance, asignacion, ...NEW },
    },
  ],
  driverBusy: after(
    ['Conductor', { userId: 'uuid', id: 'conductor-uuid', ...documentedDriver }],
    { estado: 'en_viaje' },
    { nombre: 'Pedro López', estado: 'en_viaje', ...NOW },
  ),
  newVehicle: ['Vehiculo', { userId: '123', id: '799', data: unitData('799'), ...NEW }],
  vehicle789Edited: ['Vehiculo', { userId: '123', id: '789', data: { id: '789', ...editedUnit }, ...NEW }],
  newTrailer: ['Remolque', { userId: '123', id: '399', data: unitData('399'), ...NEW }],
  trailerEdited: ['Remolque', { userId: '123', id: '321', data: { id: '321', ...editedUnit }, ...NEW }],

  newWaybill: [
    'CartaPorte',
    {
      ...{ userId: '123', id: 'carta-n', estado: 'borrador', data: waybillData },
      ...{ emisor, receptor, totales, ubicaciones, mercancias, figuras, autotransporte, ...NEW },
    },
  ],
  draftEdited: after(items.draft, editedData, { viajeId: 'def', ...waybillParts, ...NOW }),
  draftStamped: after(items.draft, { status: 'timbrada', folio: 'CP-000099' }, stamped),
  draftOfTripStamped: after(items.draftOfTrip, { status: 'timbrada', folio: 'CP-000099' }, stamped),
  tripStamped: [
    'Viaje',
    {
      ...items.withFiscal[1],
      fiscal: { cartaPorteId: 'carta-h', cartaPorteStatus: 'timbrada', cartaPorteFolio: 'CP-000099' },
      ...NOW,
    },
  ],
  location03: location('xyz', 3),
  location01Moved: ['Ubicacion', { ...movedLocation, idUbicacion: 'OR000009' }],
  goodsM9: newGoods,
  goodsM0Changed: ['Mercancia', { ...goods('xyz', 'm0')[1], pesoKg: 12 }],
} as const;
