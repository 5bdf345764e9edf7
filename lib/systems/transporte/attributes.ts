import * as z from 'zod';

/** ISO timestamps in UTC with whole seconds, so that they sort as text. */
const timestamp = z.iso.datetime({ precision: 0 });
const id = z.string().min(1);
const text = z.string().min(1);
const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const percentage = z.number().min(0).max(100);
const coordenadas = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) });

/** The document shows states by example (`en_curso`, `disponible`, `borrador`), so that others are stored and read alike. */
const estado = text;

const common = { createdAt: timestamp, updatedAt: timestamp };

/**
 * What GSI1 shows of an item: copies at the top level, which is what an index can project. Items from before there were copies
 * have none.
 */
const copies = { id: id.optional(), nombre: text.optional(), estado: estado.optional() };

// A waybill is stored from its draft (`borrador`) on, so that what is filled in later is optional; the document's own
// examples elide the same parts.
const domicilioFiscal = z.object({
  codigoPostal: z
    .string()
    .regex(/^[A-Z0-9][A-Z0-9 -]{1,9}$/i)
    .optional(),
  estado: text.optional(),
  municipio: text.optional(),
  localidad: text.nullable().optional(),
  colonia: text.optional(),
});
const domicilio = domicilioFiscal.extend({ calle: text.optional(), numeroExterior: text.optional() });

/** USER (Perfil de Usuario) */
export const user = z.object({
  data: z.object({
    id,
    email: z.email(),
    fullName: text,
    avatarUrl: z.url().optional(),
    timezone: text,
    createdAt: timestamp,
  }),
  subscription: z.object({
    planId: id,
    planName: text,
    status: text,
    expiresAt: timestamp,
    limits: z.object({ conductores: count, vehiculos: count, cartasPorteMes: count }),
  }),
  credits: z.object({
    balance: z.int(),
    monthlyUsed: count,
    totalConsumed: count,
    // The month that `monthlyUsed` is of, so that it begins once; the document's users have none.
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month, such as 2024-01' })
      .optional(),
  }),
  // How many there are, to be held against the plan's limits; users from before there were counts have none.
  conductores: count.optional(),
  vehiculos: count.optional(),
  config: z
    .object({
      rfcEmisor: text,
      razonSocial: text,
      regimenFiscal: text,
      domicilioFiscal: domicilioFiscal.optional(),
    })
    .optional(),
});

/** VIAJE */
export const viaje = z.object({
  userId: id,
  ...copies,
  data: z.object({
    id,
    nombre: text,
    // A finished trip keeps its last state; trips from before may have none.
    estado: estado.optional(),
    fechaInicioProgramada: timestamp,
    fechaFinProgramada: timestamp.optional(),
    origen: text,
    destino: text,
    origenCoordenadas: coordenadas.optional(),
    destinoCoordenadas: coordenadas.optional(),
  }),
  resources: z
    .object({
      conductorId: id.optional(),
      conductorNombre: text.optional(), // Denormalizado
      vehiculoId: id.optional(),
      vehiculoPlaca: text.optional(), // Denormalizado
      remolqueId: id.optional(),
    })
    .optional(),
  tracking: z
    .object({
      ubicacionActual: coordenadas,
      ultimaActualizacion: timestamp,
      progreso: percentage.optional(),
      distanciaRecorrida: amount.optional(),
      distanciaTotal: amount.optional(),
    })
    .optional(),
  fiscal: z
    .object({
      cartaPorteId: id,
      cartaPorteFolio: text.optional(), // Denormalizado
      cartaPorteStatus: text.optional(), // Denormalizado
    })
    .optional(),
  costos: z
    .object({
      combustibleEstimado: amount,
      peajesEstimados: amount,
      costoTotal: amount,
      precioCliente: amount,
      // Below zero where a trip costs more than it brings.
      margen: z.number(),
    })
    .optional(),
  ...common,
});

/** CONDUCTOR */
export const conductor = z.object({
  userId: id,
  ...copies,
  data: z.object({
    id,
    nombre: text,
    rfc: text.optional(),
    curp: z.string().length(18).optional(),
    email: z.email().optional(),
    telefono: text.optional(),
    estado,
    activo: z.boolean().optional(),
  }),
  licencia: z.object({ tipo: text, numero: text, vigencia: z.iso.date() }).optional(),
  compensacion: z
    .object({
      salarioBase: amount,
      porcentajeComision: percentage,
      bancoCuenta: text.optional(),
      bancoClabe: z
        .string()
        .regex(/^\d{18}$/)
        .optional(),
    })
    .optional(),
  performance: z
    .object({
      viajesCompletados: count,
      kmTotales: amount,
      calificacionPromedio: amount,
      puntualidadPromedio: percentage,
      incidentes: count,
    })
    .optional(),
  asignacion: z
    .object({
      viajeActualId: id.nullable(),
      vehiculoAsignadoId: id.nullable(),
      ubicacionActual: text.nullable(),
    })
    .optional(),
  ...common,
});

// The document names vehicles and trailers, and shows no item of either.
const unidad = z.object({
  userId: id,
  id: copies.id,
  estado: copies.estado,
  data: z.object({
    id,
    estado,
    activo: z.boolean().optional(),
    placa: text.optional(),
    marca: text.optional(),
    modelo: text.optional(),
    anio: z.int().optional(),
  }),
  ...common,
});

export const vehiculo = unidad;
export const remolque = unidad;

const ubicacionEmbebida = z.object({
  tipo: z.enum(['Origen', 'Destino']),
  // Two digits in `UBICACION#01`.
  orden: z.int().min(1).max(99),
  idUbicacion: id,
  rfcRemitenteDestinatario: text.optional(),
  nombreRemitenteDestinatario: text.optional(),
  // The time at that place: the document writes it without a zone.
  fechaHoraSalidaLlegada: z.iso.datetime({ local: true, precision: 0 }).optional(),
  distanciaRecorrida: amount.optional(),
  domicilio: domicilio.optional(),
});

const mercanciaEmbebida = z.object({
  id,
  claveProdServ: text.optional(),
  claveUnidad: text.optional(),
  descripcion: text,
  cantidad: amount.optional(),
  pesoKg: amount.optional(),
  valorMercancia: amount.optional(),
});

/** CARTA_PORTE (con datos embebidos) */
const carta = z.object({
  userId: id,
  id: copies.id,
  estado: copies.estado,
  // The document has the trip in GSI2PK alone; an index key is made of attributes, so that it is one here.
  viajeId: id.optional(),
  data: z.object({
    id,
    folio: text.optional(),
    versionCartaPorte: text,
    status: estado,
    transporteInternacional: z.boolean(),
  }),
  emisor: z
    .object({ rfc: text, nombre: text, regimenFiscal: text, domicilioFiscal: domicilioFiscal.optional() })
    .optional(),
  receptor: z
    .object({
      rfc: text,
      nombre: text,
      regimenFiscal: text,
      usoCfdi: text,
      domicilioFiscal: domicilioFiscal.optional(),
    })
    .optional(),
  totales: z.object({ distanciaTotal: amount, pesoBrutoTotal: amount, numeroTotalMercancias: count }).optional(),
  ubicaciones: z.array(ubicacionEmbebida).optional(),
  mercancias: z.array(mercanciaEmbebida).optional(),
  figuras: z
    .array(z.object({ tipoFigura: text, rfcFigura: text, nombreFigura: text, numLicencia: text.optional() }))
    .optional(),
  autotransporte: z
    .object({
      permSct: text,
      numPermisoSct: text,
      configVehicular: text,
      placaVm: text,
      anioModeloVm: z.int(),
      aseguraRespCivil: text,
      polizaRespCivil: text,
    })
    .optional(),
  timbrado: z.object({ uuidFiscal: z.guid(), fechaTimbrado: timestamp, xmlGenerado: text, idCcp: text }).optional(),
  ...common,
});

/** Postal codes of other countries are for international trips; those of Mexico have five digits. */
export const cartaPorte = carta.refine(
  ({ data, emisor, receptor, ubicaciones = [] }) => {
    const places = [
      emisor?.domicilioFiscal,
      receptor?.domicilioFiscal,
      ...ubicaciones.map(({ domicilio }) => domicilio),
    ];
    return (
      data.transporteInternacional ||
      places.every((place) => place?.codigoPostal === undefined || /^\d{5}$/.test(place.codigoPostal))
    );
  },
  { error: 'a postal code has five digits, unless the trip is international' },
);

/** UBICACION and MERCANCIA: an element of the lists above, as an item of its own. */
export const ubicacion = ubicacionEmbebida.extend({ cartaId: id });
export const mercancia = mercanciaEmbebida.extend({ cartaId: id });

/** TTL para datos temporales */
export const session = z.object({ userId: id, sessionId: id, ttl: z.int(), createdAt: timestamp });
