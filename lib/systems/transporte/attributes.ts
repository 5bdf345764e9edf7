import * as z from 'zod';
import { timestamp } from '../times';

const text = z.string();
const number = z.number();
const id = z.string().min(1);
const coordenadas = z.object({ lat: number, lng: number });
/** Shown by example (`en_curso`, `disponible`, `borrador`), so other states are possible. */
const estado = id;
/** A map that an item may lack. */
const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).optional();
const common = { createdAt: timestamp, updatedAt: timestamp };
/** The ids in an item's own key. */
const own = { userId: id, id };
/** Copies for GSI1, which can project only top-level attributes; the document's items have no copies until their next change. */
const copies = { nombre: text.optional(), estado: estado.optional() };

/** The document also writes it as `{...}`. */
const domicilio = z.looseObject({
  codigoPostal: text.optional(),
  estado: text.optional(),
  municipio: text.optional(),
  localidad: text.nullable().optional(),
  colonia: text.optional(),
});

/** USER (Perfil de Usuario) */
export const user = z.object({
  data: z.object({
    id,
    email: text,
    fullName: text,
    avatarUrl: text.optional(),
    timezone: text,
    createdAt: timestamp,
  }),
  subscription: z.object({
    planId: id,
    planName: text,
    status: text,
    expiresAt: timestamp,
    limits: z.object({ conductores: number, vehiculos: number, cartasPorteMes: number }),
  }),
  credits: z.object({ balance: number, monthlyUsed: number, totalConsumed: number }),
  config: part({ rfcEmisor: text, razonSocial: text, regimenFiscal: text, domicilioFiscal: domicilio.optional() }),
});

/** VIAJE. A trip is stored before it has a driver, a position or a waybill. */
export const viaje = z.object({
  ...own,
  ...copies,
  data: z.object({
    id,
    nombre: text,
    estado: estado.optional(),
    fechaInicioProgramada: timestamp,
    fechaFinProgramada: timestamp.optional(),
    origen: text,
    destino: text,
    origenCoordenadas: coordenadas.optional(),
    destinoCoordenadas: coordenadas.optional(),
  }),
  resources: part({
    conductorId: id.optional(),
    conductorNombre: text.optional(), // Denormalizado
    vehiculoId: id.optional(),
    vehiculoPlaca: text.optional(), // Denormalizado
    remolqueId: id.optional(),
  }),
  tracking: part({
    ubicacionActual: coordenadas,
    ultimaActualizacion: timestamp,
    progreso: number.optional(),
    distanciaRecorrida: number.optional(),
    distanciaTotal: number.optional(),
  }),
  fiscal: part({
    cartaPorteId: id,
    cartaPorteFolio: text.optional(), // Denormalizado
    cartaPorteStatus: text.optional(), // Denormalizado
  }),
  costos: part({
    combustibleEstimado: number,
    peajesEstimados: number,
    costoTotal: number,
    precioCliente: number,
    margen: number,
  }),
  ...common,
});

/** CONDUCTOR */
export const conductor = z.object({
  ...own,
  ...copies,
  data: z.object({
    id,
    nombre: text,
    rfc: text.optional(),
    curp: text.optional(),
    email: text.optional(),
    telefono: text.optional(),
    estado,
    activo: z.boolean().optional(),
  }),
  licencia: part({ tipo: text, numero: text, vigencia: z.iso.date() }),
  compensacion: part({
    salarioBase: number,
    porcentajeComision: number,
    bancoCuenta: text.optional(),
    bancoClabe: text.optional(),
  }),
  performance: part({
    viajesCompletados: number,
    kmTotales: number,
    calificacionPromedio: number,
    puntualidadPromedio: number,
    incidentes: number,
  }),
  asignacion: part({
    viajeActualId: id.nullable(),
    vehiculoAsignadoId: id.nullable(),
    ubicacionActual: text.nullable(),
  }),
  ...common,
});

/** The document names vehicles and trailers but shows no items, so their `data` is open. */
export const unidad = z.object({
  ...own,
  data: z.looseObject({ id, estado: estado.optional(), placa: text.optional() }),
  createdAt: timestamp.optional(),
  updatedAt: timestamp.optional(),
});

/** The document shows only the key of `UBICACION#01`, and elides parts of the embedded items. */
const lugar = z.looseObject({
  tipo: text.optional(),
  orden: z.int().min(1).max(99),
  idUbicacion: id.optional(),
  rfcRemitenteDestinatario: text.optional(),
  nombreRemitenteDestinatario: text.optional(),
  // The local time at that place, which the document writes without a zone.
  fechaHoraSalidaLlegada: z.iso.datetime({ local: true }).optional(),
  distanciaRecorrida: number.optional(),
  domicilio: domicilio.optional(),
});

const mercancias = z.looseObject({
  id,
  claveProdServ: text.optional(),
  claveUnidad: text.optional(),
  descripcion: text.optional(),
  cantidad: number.optional(),
  pesoKg: number.optional(),
  valorMercancia: number.optional(),
});

/** CARTA_PORTE (con datos embebidos), including drafts (`borrador`), so attributes that are filled in later are optional. */
export const cartaPorte = z.object({
  ...own,
  estado: copies.estado,
  // The document has the trip only in GSI2PK.
  viajeId: id.optional(),
  data: z.object({
    id,
    folio: id.optional(),
    versionCartaPorte: text,
    status: estado,
    transporteInternacional: z.boolean(),
  }),
  emisor: part({ rfc: text, nombre: text, regimenFiscal: text, domicilioFiscal: domicilio.optional() }),
  receptor: part({
    rfc: text,
    nombre: text,
    regimenFiscal: text,
    usoCfdi: text,
    domicilioFiscal: domicilio.optional(),
  }),
  totales: part({ distanciaTotal: number, pesoBrutoTotal: number, numeroTotalMercancias: number }),
  ubicaciones: z.array(lugar).optional(),
  mercancias: z.array(mercancias).optional(),
  figuras: z
    .array(z.object({ tipoFigura: text, rfcFigura: text, nombreFigura: text, numLicencia: text.optional() }))
    .optional(),
  autotransporte: part({
    permSct: text,
    numPermisoSct: text,
    configVehicular: text,
    placaVm: text,
    anioModeloVm: number,
    aseguraRespCivil: text,
    polizaRespCivil: text,
  }),
  timbrado: part({ uuidFiscal: text, fechaTimbrado: timestamp, xmlGenerado: text, idCcp: text }),
  ...common,
});

/** Open items may hold the table's TTL. */
const ttl = z.int().optional();

/** UBICACION and MERCANCIA: an element of the lists above as a separate item. */
export const ubicacion = lugar.extend({ cartaId: id, ttl });
export const mercancia = mercancias.extend({ cartaId: id, ttl });

/** TTL para datos temporales; the document shows only the keys and the `ttl`. */
export const session = z.looseObject({ userId: id, sessionId: id, ttl: z.int() });
