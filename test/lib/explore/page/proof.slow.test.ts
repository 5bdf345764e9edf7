import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { explore } from '../../../../lib/explore/system';
import { fingerprintOf } from '../../../../lib/proof/fingerprint';
import { transporte } from '../../../../lib/systems';
import { objections, pagesOf, startBrowser, startExplorer } from '../../../support/browser';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
let browser: Browser;
let demo: Awaited<ReturnType<typeof startExplorer>>;

/** Writes a report in which every pattern and procedure is proved, except for `failing`. */
function reportOf(file: string, engine: string, more: object = {}, failing?: string): string {
  const { tables, procedures } = explore(transporte).view;
  const one = (kind: string) => (name: string) => ({
    ...{ system: 'transporte', name, kind, operation: 'get', requests: 1, capacity: 1, items: 1 },
    ...(name === failing && { failure: 'expected [a], got []' }),
  });
  const proofs = [
    ...tables.flatMap(({ patterns }) => patterns.map(({ name }) => one('read')(name))),
    ...procedures.map(({ name }) => one('procedure')(name)),
  ];
  const result = { engine, designs: { transporte: fingerprintOf(transporte) }, proofs, ...more };
  writeFileSync(join(folder, file), JSON.stringify({ result }));
  return join(folder, file);
}

beforeAll(async () => {
  const own = reportOf('own.json', 'DynamoDB');
  const azure = reportOf('azure.json', 'Azurite', { on: 'azure' }, 'createUser');
  const reports = ['--proof', own, '--proof', azure];
  [browser, demo] = await Promise.all([startBrowser(), startExplorer(['--demo', 'transporte', ...reports])]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), demo?.stop()]);
  rmSync(folder, { recursive: true });
});

const { opened } = pagesOf(() => browser);

test("shows whether each pattern is proved on its system's own cloud and on Azure", async () => {
  const { page, close } = await opened(`${demo.address}#/transporte/pattern/TransporteApp/getProfile`);
  const badges = page.locator('h1 .badge');
  await badges.getByText('proved on Azure', { exact: true }).waitFor();
  expect(await badges.allTextContents()).toEqual(['get', 'proved', 'proved on Azure']);
  await page.goto(`${demo.address}#/transporte/pattern/TransporteApp/createUser`);
  await badges.getByText('proof failed on Azure').waitFor();
  expect(await page.locator('p.alert').first().textContent()).toBe('expected [a], got []');
  expect(await objections(page)).toEqual([]);
  await close();
});

test('shows the reports of both clouds on the proof page, and the verdict next to the Azure tables', async () => {
  const { page, close } = await opened(`${demo.address}#/transporte/proof`);
  await page.getByRole('heading', { level: 2, name: 'On Azure' }).waitFor();
  expect(await page.locator('p.lead').allTextContents()).toEqual([
    expect.stringMatching(/^All proved: \d+ passed, on DynamoDB$/),
    expect.stringMatching(/^1 failed: \d+ passed, on Azurite$/),
  ]);
  expect(await objections(page)).toEqual([]);
  await page.goto(`${demo.address}#/transporte/azure`);
  await page.locator('p', { hasText: /^1 failed: \d+ passed, on Azurite: the proof\.$/ }).waitFor();
  await close();
});
