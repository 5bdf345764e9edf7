import { z } from 'zod';
import type { SystemDesign } from '../../../lib/design/system';
import { mapOf } from '../../../lib/explore/map';
import { explore } from '../../../lib/explore/system';
import type { TableView } from '../../../lib/explore/view';

const keys = { PK: 'NOTE#<id>' };
const system: SystemDesign = {
  name: 'pad',
  cloud: 'aws',
  tables: {
    pad: {
      name: 'pad',
      key: { partition: 'PK' },
      indexes: { byText: { partition: 'text' } },
      entities: { Note: { attributes: z.object({ id: z.string(), text: z.string() }), keys } },
      patterns: { change: { op: 'update', entity: 'Note', where: keys, set: { text: '<text>' } } },
    },
  },
};

test('a table that patterns write to but never read is shown as reached, but not as read', () => {
  const map = mapOf(explore(system).view.tables[0] as TableView);
  expect(map.places.map(({ label, unreached }) => [label, unreached])).toEqual([
    ['pad', 'read by no pattern'],
    ['byText', 'reached by no pattern'],
  ]);
  expect(map.entities.map(({ unreached }) => unreached)).toEqual([undefined]);
});
