import type { SystemDesign } from '../../../../lib/design/system';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { Copy } from '../../../../lib/explore/engine/copy';
import { explore } from '../../../../lib/explore/system';
import { salesCases, salesSystem } from '../../proof/sales';

const copy = new Copy(explore(salesSystem as SystemDesign, salesCases), embeddedEngine);
afterAll(() => copy.stop());

test('refuses to run a pattern that the embedded engine cannot serve, and gives the reason', async () => {
  const { error, requests } = await copy.run('inRegion', { tenantId: 't1', region: 'north' });
  expect(error?.message).toMatch(
    /^the embedded engine cannot run this pattern: .* does not support multi-attribute index keys/,
  );
  expect(requests).toEqual([]);
});

test("runs a table's other patterns if one pattern cannot run", async () => {
  const orderId = '01890a5d-ac96-774b-bcce-b302099a8001';
  const { error, answer } = await copy.run('order', { tenantId: 't1', orderId });
  expect([error, (answer as { status?: string }).status]).toEqual([undefined, 'open']);
});
