import { blueprint } from '../../../lib/blueprint/table';
import { requests } from '../../../lib/dynamodb';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { items } from '../../../lib/systems/transporte/items';

const { item, patterns } = requests(transporteAppTable, 'TransporteApp');
const trip = items.abc[1];
const waybill = items.waybillOfAna[1];

test('a trip keeps its last state, whatever it is, and is in GSI1 only while it is under way', () => {
  const stored = (estado: string) => item('Viaje', { ...trip, data: { ...trip.data, estado } });
  expect(stored('en_curso')).toMatchObject({ GSI1PK: 'STATUS#en_curso', GSI1SK: '2024-01-15#VIAJE#abc' });
  for (const estado of ['programado', 'completado', 'cancelado', 'demorado']) {
    expect(stored(estado)).toMatchObject({ data: { estado }, GSI2PK: 'DATE#2024-01-15' });
    expect(Object.keys(stored(estado)).filter((name) => name.startsWith('GSI1'))).toEqual([]);
  }
});

test('a trip that is under way when it is made with its waybill is in GSI1 with its name and state', () => {
  const { id: _, nombre: __, estado: ___, ...given } = trip;
  const made = patterns.createTripWithWaybill({ ...given, carta: waybill }).TransactItems[0]?.Put?.Item;
  const copies = { id: 'abc', nombre: 'Viaje CDMX-GDL', estado: 'en_curso' };
  expect(made).toMatchObject({ ...copies, data: given.data, GSI1PK: 'STATUS#en_curso' });
  // A trip may have no state yet.
  const { estado: ____, ...data } = given.data;
  const stateless = patterns.createTripWithWaybill({ ...given, data, carta: waybill }).TransactItems[0]?.Put?.Item;
  expect(Object.keys(stateless ?? {}).filter((name) => name === 'estado' || name.startsWith('GSI1'))).toEqual([]);
});

test('states that the document does not show are stored alike', () => {
  const { data, ...driver } = items.driver456[1];
  expect(item('Conductor', { ...driver, data: { ...data, estado: 'vacaciones' } }).GSI1PK).toBe('STATUS#vacaciones');
  expect(item('CartaPorte', { ...waybill, data: { ...waybill.data, status: 'en_revision' } }).GSI1PK).toBe(
    'STATUS#en_revision',
  );
});

test('the index that crosses users has no map of an item, in which there could be a personal number', () => {
  const [byStatus] = blueprint(transporteAppTable).indexes;
  expect(byStatus?.projection).toEqual(['entityType', 'id', 'nombre', 'estado', 'updatedAt']);
  expect(byStatus?.purpose).toContain('GSI-Status');
});

test('postal codes of other countries are for international trips', () => {
  const at = (codigoPostal: string, transporteInternacional: boolean) => () =>
    item('CartaPorte', {
      ...waybill,
      data: { ...waybill.data, transporteInternacional },
      ubicaciones: [{ tipo: 'Destino', orden: 2, idUbicacion: 'DE000001', domicilio: { codigoPostal } }],
    });
  expect(at('06600', false)).not.toThrow();
  expect(at('H3Z 2Y7', true)).not.toThrow();
  expect(at('78701-1234', true)).not.toThrow();
  expect(at('H3Z 2Y7', false)).toThrow('five digits, unless the trip is international');
});
