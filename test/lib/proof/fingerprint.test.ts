import { z } from 'zod';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import { fingerprintOf } from '../../../lib/proof/fingerprint';

const note = { attributes: z.object({ id: z.string() }), keys: { PK: 'NOTE#<id>' } };
const list = { attributes: z.object({ id: z.string() }), keys: { PK: 'LIST#<id>' } };
const of = (design: Partial<TableDesign>): SystemDesign => ({
  name: 'pad',
  cloud: 'aws',
  tables: { pad: { name: 'pad', key: { partition: 'PK' }, entities: { note, list }, patterns: {}, ...design } },
});

test("the fingerprint ignores a table's purpose and the order of names", () => {
  expect(fingerprintOf(of({}))).toMatch(/^[0-9a-f]{32}$/);
  expect(fingerprintOf(of({ entities: { list, note } }))).toBe(fingerprintOf(of({})));
  expect(fingerprintOf(of({ purpose: 'notes' }))).toBe(fingerprintOf(of({})));
});

test('an added attribute, index or pattern changes the fingerprint', () => {
  const longer = { ...note, attributes: z.object({ id: z.string(), text: z.string() }) };
  const others = [
    of({ entities: { note: longer, list } }),
    of({ indexes: { byId: { partition: 'id' } } }),
    of({ patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['note'] } } }),
  ];
  expect(new Set([of({}), ...others].map(fingerprintOf)).size).toBe(4);
});
