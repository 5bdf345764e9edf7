import * as z from 'zod';
import { timestamp } from '../times';

const text = z.string();
const number = z.number();
const id = z.string().min(1);
const coordenadas = z.object({ lat: number, lng: number });
/** The document shows states only by example (`en_curso`, `disponible`, `borrador`), so other states are possible. */
const estado = id;
/** Makes every attribute of a map optional. */
const optional = <S extends z.ZodRawShape>(shape: S) => z.object(shape).partial().shape;
const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).optional();
const common = { createdAt: timestamp, updatedAt: timestamp };
/** The ids in an item's key. */
const own = { userId: id, id };
/**
 * Copies of nested attributes for GSI1, which projects only top-level attributes. The next update adds them.
 */
const copies = optional({ nombre: text, estado });

/** The document also writes the address as `{...}`. */
const domicilio = z.looseObject(
  optional({ codigoPostal: text, estado: text, municipio: text, localidad: text.nullable(), colonia: text }),
);

/** USER (Perfil de Usuario) */
export const user = z.object({
  data: z.object({ id, email: text, fullName: text, avatarUrl: text.optional(), timezone: text, createdAt: timestamp }),
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

/** VIAJE. A trip may be stored before it has a driver, a position or a waybill. */
export const viaje = z.object({
  ...own,
  ...copies,
  data: z.object({
    id,
    nombre: text,
    estado: estado.optional(),
    fechaInicioProgramada: timestamp,
    origen: text,
    destino: text,
    ...optional({ fechaFinProgramada: timestamp, origenCoordenadas: coordenadas, destinoCoordenadas: coordenadas }),
  }),
  resources: part(
    optional({ conductorId: id, conductorNombre: text, vehiculoId: id, vehiculoPlaca: text, remolqueId: id }),
  ),
  tracking: part({
    ubicacionActual: coordenadas,
    ultimaActualizacion: timestamp,
    ...optional({ progreso: number, distanciaRecorrida: number, distanciaTotal: number }),
  }),
  fiscal: part({ cartaPorteId: id, ...optional({ cartaPorteFolio: text, cartaPorteStatus: text }) }),
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
    estado,
    ...optional({ rfc: text, curp: text, email: text, telefono: text, activo: z.boolean() }),
  }),
  licencia: part({ tipo: text, numero: text, vigencia: z.iso.date() }),
  compensacion: part({
    salarioBase: number,
    porcentajeComision: number,
    ...optional({ bancoCuenta: text, bancoClabe: text }),
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

/** The document names vehicles and trailers but shows no such items, so the schema of their `data` is open. */
export const unidad = z.object({
  ...own,
  data: z.looseObject({ id, ...optional({ estado, placa: text }) }),
  ...optional(common),
});

/** The document shows only the key of `UBICACION#01`, and elides parts of the embedded items. */
const lugar = z.looseObject({
  orden: z.int().min(1).max(99),
  ...optional({ tipo: text, idUbicacion: id, rfcRemitenteDestinatario: text, nombreRemitenteDestinatario: text }),
  // The local time at this place, which the document writes without a zone.
  fechaHoraSalidaLlegada: z.iso.datetime({ local: true }).optional(),
  ...optional({ distanciaRecorrida: number, domicilio }),
});

const mercancias = z.looseObject({
  id,
  ...optional({ claveProdServ: text, claveUnidad: text, descripcion: text }),
  ...optional({ cantidad: number, pesoKg: number, valorMercancia: number }),
});

const figura = z.object({ tipoFigura: text, rfcFigura: text, nombreFigura: text, numLicencia: text.optional() });
const emisor = { rfc: text, nombre: text, regimenFiscal: text, domicilioFiscal: domicilio.optional() };

/** CARTA_PORTE (con datos embebidos), including drafts (`borrador`), whose missing attributes are filled in later. */
export const cartaPorte = z.object({
  ...own,
  estado: copies.estado,
  // In the document, only GSI2PK contains the id of the trip.
  viajeId: id.optional(),
  data: z.object({
    id,
    folio: id.optional(),
    versionCartaPorte: text,
    status: estado,
    transporteInternacional: z.boolean(),
  }),
  emisor: part(emisor),
  receptor: part({ ...emisor, usoCfdi: text }),
  totales: part({ distanciaTotal: number, pesoBrutoTotal: number, numeroTotalMercancias: number }),
  ubicaciones: z.array(lugar).optional(),
  mercancias: z.array(mercancias).optional(),
  figuras: z.array(figura).optional(),
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

/** UBICACION and MERCANCIA: elements of the lists above, stored as separate items that may have the table's TTL. */
const separate = { cartaId: id, ttl: z.int().optional() };
export const ubicacion = lugar.extend(separate);
export const mercancia = mercancias.extend(separate);

/** TTL para datos temporales. The document shows only the keys and the `ttl`. */
export const session = z.looseObject({ userId: id, sessionId: id, ttl: z.int() });

/** The partition of a user. It contains all of the user's items except the separate parts of waybills. */
export const ofUser = { PK: 'USER#<userId>' } as const;
