import { outline } from '../../../lib/blueprint/outline';
import { projectedBy } from '../../../lib/blueprint/projected';
import { orders } from '../../fixtures/designs';

const table = outline(orders);
const of = (index: string) => projectedBy(table, table.indexes.find(({ name }) => name === index) as never);

test("projectedBy lists the table's keys, the index's keys, and the attributes that the index projects", () => {
  expect(of('byStatus')).toEqual(['PK', 'SK', 'GSI1PK', 'GSI1SK', 'total', 'kind']);
  expect(of('byDay')).toEqual(['PK', 'SK', 'day', 'number']);
});

test('projectedBy returns undefined for an index that projects everything', () => {
  expect(of('byEmail')).toBeUndefined();
});
