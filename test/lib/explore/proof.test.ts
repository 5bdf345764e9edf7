import type { SystemDesign } from '../../../lib/design/system';
import { proofView, systemsIn } from '../../../lib/explore/proof';
import { explore } from '../../../lib/explore/system';
import { fingerprintOf } from '../../../lib/proof/fingerprint';
import { shop } from '../../fixtures/designs';

const system = shop as SystemDesign;
const explored = explore(system);
const names = explored.view.tables.flatMap(({ patterns }) => patterns.map(({ name }) => name));
const proof = (name: string) => ({
  ...{ system: system.name, name, kind: 'read', operation: 'get', requests: 1, capacity: 1, items: 1 },
});
const designs = { [system.name]: fingerprintOf(system) };
const report = { engine: 'an engine', designs, proofs: names.map(proof) };

test('accepts a report about an unchanged design', () => {
  const view = proofView(report, explored);
  expect(view).toMatchObject({ verdict: `All proved: ${names.length} passed`, missing: [] });
  expect(view.stale).toBeUndefined();
});

test('names a pattern that is missing from the report, and does not show the system as proved', () => {
  const view = proofView({ ...report, proofs: names.slice(1).map(proof) }, explored);
  expect(view.missing).toEqual([names[0]]);
  expect(view.verdict).toBe(`1 not in the report: ${names.length - 1} passed`);
});

test('does not mistake the proof of a documented item for the proof of a pattern with the same name', () => {
  const proofs = [{ ...proof(names[0] as string), kind: 'document' }, ...names.slice(1).map(proof)];
  expect(proofView({ ...report, proofs }, explored).missing).toEqual([names[0]]);
});

test('treats a report as stale if it is about a different version or system, or does not say which design was proved', () => {
  const stale = (changed: object) => proofView({ ...report, ...changed }, explored);
  expect(stale({ designs: { [system.name]: 'another' } })).toMatchObject({
    stale: expect.stringContaining(`about a different version of ${system.name}; prove the system again`),
    verdict: expect.stringMatching(/^Out of date: /),
  });
  expect(stale({ designs: undefined }).stale).toContain('does not say which design');
  const elsewhere = stale({ proofs: [{ ...proof('a'), system: 'other' }] });
  expect(elsewhere.stale).toContain(`is not about ${system.name}`);
  expect(elsewhere).toMatchObject({ missing: names, passed: 0 });
});

test('reports that a DynamoDB system was proved on Azure, and how to repeat this proof', () => {
  expect(proofView({ ...report, on: 'azure' }, explored).on).toBe('Azure');
  expect(proofView(report, explored).on).toBeUndefined();
  expect(proofView({ ...report, on: 'azure', designs: undefined }, explored).stale).toContain(
    "prove the system again with 'npx tablewright prove --on azure --json'",
  );
});

test('refuses an empty report, and files that are not reports', () => {
  for (const given of [{}, [], null, { proofs: {} }, { proofs: [{ name: 'a' }] }])
    expect(() => systemsIn(given)).toThrow("the file is not a proof report; write one with 'npx tablewright prove");
  expect(() => systemsIn({ proofs: [] })).toThrow('this report contains no proof');
  expect(systemsIn(report)).toEqual([system.name]);
});
