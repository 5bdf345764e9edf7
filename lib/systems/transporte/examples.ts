/**
 * The document's exact example items, without comments. `{...}` becomes `{}`, and parts replaced by a lone `...` are
 * omitted.
 */

/** USER (Perfil de Usuario) */
export const user = {
  PK: 'USER#uuid',
  SK: 'PROFILE#metadata',
  entityType: 'USER',
  data: {
    id: 'uuid',
    email: 'user@example.com',
    fullName: 'Juan Pérez',
    avatarUrl: 'https://...',
    timezone: 'America/Mexico_City',
    createdAt: '2024-01-01T00:00:00Z',
  },
  subscription: {
    planId: 'plan-uuid',
    planName: 'Profesional',
    status: 'active',
    expiresAt: '2025-01-01T00:00:00Z',
    limits: {
      conductores: 10,
      vehiculos: 15,
      cartasPorteMes: 100,
    },
  },
  credits: {
    balance: 50,
    monthlyUsed: 15,
    totalConsumed: 200,
  },
  config: {
    rfcEmisor: 'XXX...',
    razonSocial: '...',
    regimenFiscal: '601',
    domicilioFiscal: {},
  },
};

/** VIAJE */
export const viaje = {
  PK: 'USER#uuid',
  SK: 'VIAJE#viaje-uuid',
  GSI1PK: 'STATUS#en_curso',
  GSI1SK: '2024-01-15#viaje-uuid',
  GSI2PK: 'DATE#2024-01-15',
  GSI2SK: 'VIAJE#viaje-uuid',
  entityType: 'VIAJE',
  data: {
    id: 'viaje-uuid',
    nombre: 'Viaje CDMX-GDL',
    estado: 'en_curso',
    fechaInicioProgramada: '2024-01-15T08:00:00Z',
    fechaFinProgramada: '2024-01-15T18:00:00Z',
    origen: 'Ciudad de México',
    destino: 'Guadalajara',
    origenCoordenadas: { lat: 19.4326, lng: -99.1332 },
    destinoCoordenadas: { lat: 20.6597, lng: -103.3496 },
  },
  resources: {
    conductorId: 'conductor-uuid',
    conductorNombre: 'Pedro López',
    vehiculoId: 'vehiculo-uuid',
    vehiculoPlaca: 'ABC-123',
    remolqueId: 'remolque-uuid',
  },
  tracking: {
    ubicacionActual: { lat: 20.1, lng: -101.2 },
    ultimaActualizacion: '2024-01-15T12:30:00Z',
    progreso: 65,
    distanciaRecorrida: 325,
    distanciaTotal: 500,
  },
  fiscal: {
    cartaPorteId: 'carta-uuid',
    cartaPorteFolio: 'CP-000015',
    cartaPorteStatus: 'timbrada',
  },
  costos: {
    combustibleEstimado: 2500,
    peajesEstimados: 800,
    costoTotal: 5000,
    precioCliente: 8000,
    margen: 3000,
  },
  createdAt: '2024-01-14T20:00:00Z',
  updatedAt: '2024-01-15T12:30:00Z',
};

/** CONDUCTOR */
export const conductor = {
  PK: 'USER#uuid',
  SK: 'CONDUCTOR#conductor-uuid',
  GSI1PK: 'STATUS#disponible',
  GSI1SK: 'conductor-uuid',
  entityType: 'CONDUCTOR',
  data: {
    id: 'conductor-uuid',
    nombre: 'Pedro López',
    rfc: 'XXXX000000XXX',
    curp: 'XXXX000000XXXXXX00',
    email: 'pedro@example.com',
    telefono: '+52 55 1234 5678',
    estado: 'disponible',
    activo: true,
  },
  licencia: {
    tipo: 'E',
    numero: 'ABC123456',
    vigencia: '2025-06-15',
  },
  compensacion: {
    salarioBase: 15000,
    porcentajeComision: 5,
    bancoCuenta: '1234567890',
    bancoClabe: '012345678901234567',
  },
  performance: {
    viajesCompletados: 150,
    kmTotales: 75000,
    calificacionPromedio: 4.8,
    puntualidadPromedio: 96,
    incidentes: 1,
  },
  asignacion: {
    viajeActualId: null,
    vehiculoAsignadoId: 'vehiculo-uuid',
    ubicacionActual: 'Guadalajara',
  },
  createdAt: '2023-01-01T00:00:00Z',
  updatedAt: '2024-01-15T12:00:00Z',
};

/** CARTA_PORTE (con datos embebidos) */
export const cartaPorte = {
  PK: 'USER#uuid',
  SK: 'CARTA#carta-uuid',
  GSI1PK: 'STATUS#timbrada',
  GSI1SK: '2024-01-15#carta-uuid',
  GSI2PK: 'VIAJE#viaje-uuid',
  GSI2SK: 'CARTA#carta-uuid',
  entityType: 'CARTA_PORTE',
  data: {
    id: 'carta-uuid',
    folio: 'CP-000015',
    versionCartaPorte: '3.1',
    status: 'timbrada',
    transporteInternacional: false,
  },
  emisor: {
    rfc: 'XXX000000XXX',
    nombre: 'Transportes SA de CV',
    regimenFiscal: '601',
    domicilioFiscal: {
      codigoPostal: '06600',
      estado: 'CMX',
      municipio: '014',
      localidad: null,
      colonia: '0001',
    },
  },
  receptor: {
    rfc: 'YYY000000YYY',
    nombre: 'Cliente SA',
    regimenFiscal: '601',
    usoCfdi: 'S01',
    domicilioFiscal: {},
  },
  totales: {
    distanciaTotal: 500,
    pesoBrutoTotal: 15000,
    numeroTotalMercancias: 3,
  },
  ubicaciones: [
    {
      tipo: 'Origen',
      orden: 1,
      idUbicacion: 'OR000001',
      rfcRemitenteDestinatario: 'XXX...',
      nombreRemitenteDestinatario: '...',
      fechaHoraSalidaLlegada: '2024-01-15T08:00:00',
      domicilio: {
        codigoPostal: '06600',
        estado: 'CMX',
        municipio: '014',
        localidad: null,
        colonia: '0001',
        calle: 'Reforma 222',
        numeroExterior: '222',
      },
    },
    {
      tipo: 'Destino',
      orden: 2,
      idUbicacion: 'DE000001',
      distanciaRecorrida: 500,
      domicilio: {},
    },
  ],
  mercancias: [
    {
      id: 'merc-1',
      claveProdServ: '78101800',
      claveUnidad: 'KGM',
      descripcion: 'Mercancía general',
      cantidad: 100,
      pesoKg: 5000,
      valorMercancia: 50000,
    },
    {
      id: 'merc-2',
      descripcion: '...',
    },
  ],
  figuras: [
    {
      tipoFigura: '01',
      rfcFigura: 'XXX...',
      nombreFigura: 'Pedro López',
      numLicencia: 'ABC123456',
    },
  ],
  autotransporte: {
    permSct: 'TPAF01',
    numPermisoSct: '12345',
    configVehicular: 'T3S2',
    placaVm: 'ABC-123',
    anioModeloVm: 2022,
    aseguraRespCivil: 'Seguros XYZ',
    polizaRespCivil: 'POL-123456',
  },
  timbrado: {
    uuidFiscal: '12345678-1234-1234-1234-123456789012',
    fechaTimbrado: '2024-01-15T08:30:00Z',
    xmlGenerado: '<?xml ...>',
    idCcp: 'CCP-UUID',
  },
  createdAt: '2024-01-15T08:00:00Z',
  updatedAt: '2024-01-15T08:30:00Z',
};

/** 3. TTL para datos temporales */
export const session = { PK: 'USER#123', SK: 'SESSION#abc', ttl: 1704067200 };

/** Two keys from the diagram, which does not show the items themselves. */
export const ubicacionKey = { PK: 'CARTA#xyz', SK: 'UBICACION#02' };
export const mercanciaKey = { PK: 'CARTA#xyz', SK: 'MERCANCIA#m1' };
