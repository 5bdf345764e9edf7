import { physicalTable } from '../../../../lib/blueprint/physical-table';
import { templateOf } from '../../../../lib/dynamodb/template/make';
import { tablesIn } from '../../../../lib/dynamodb/template/tables';
import { systems } from '../../../../lib/systems';
import { deployedTable } from '../../../fixtures/changes';
import { salesSystem } from '../../../fixtures/sound/sales';

const designs = [...Object.values(systems), salesSystem].flatMap(({ tables }) => Object.values(tables));

test.each(designs)('a round trip through its template leaves a table unchanged: $name', (design) => {
  const table = { ...physicalTable(design), name: 'made', stream: 'NEW_IMAGE' };
  const [read] = tablesIn(templateOf({ Table: table }));
  expect(read?.indexes).toHaveLength(table.indexes.length);
  expect({ ...read, indexes: [...(read?.indexes ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)) }).toMatchObject(
    JSON.parse(JSON.stringify(table)),
  );
});

test('keeps the attribute of a disabled TTL in the template, and reads TTL as off', () => {
  const { ttl, ...table } = physicalTable(deployedTable);
  const off = templateOf({ Table: { ...table, ttlOff: ttl } });
  expect(off.Resources?.Table?.Properties?.TimeToLiveSpecification).toEqual({ AttributeName: ttl, Enabled: false });
  expect(tablesIn(off)[0]).not.toHaveProperty('ttl');
});
