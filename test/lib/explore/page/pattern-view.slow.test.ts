import type { Browser, Page } from 'playwright-core';
import { objections, pagesOf, startBrowser, startExplorer } from '../../../support/browser';
import { descendantsOf, freeze } from '../../../support/processes';

let browser: Browser;
let demo: Awaited<ReturnType<typeof startExplorer>>;
beforeAll(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startExplorer(['--demo', 'blog', 'transporte'])]);
});
afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

const { opened, unheard } = pagesOf(() => browser);
const lit = (page: Page) => page.locator('tr.lit');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('explains an invalid field in plain words, and shows the refusal only once', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/pattern/blog/getPost`);
  await lit(page).first().waitFor();
  const field = page.getByLabel('postId');
  await field.fill('');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('postId needs a value; "" is an empty string').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText(/^KeyError/).count()).toBe(1);
  expect(await objections(page)).toEqual([]);
  await field.fill('""');
  const run = page.waitForRequest(/\/run$/);
  await page.getByRole('button', { name: 'Run' }).click();
  expect((await run).postDataJSON()).toMatchObject({ values: { postId: '' } });
  await close();
});

test('removes the previous result if a value cannot be parsed', async () => {
  const { page, close } = await opened(`${demo.address}#/transporte/pattern/TransporteApp/createUser`);
  await page.locator('.changes').first().waitFor();
  const map = page.locator('textarea').first();
  await map.fill('{broken');
  await page.getByRole('button', { name: 'Run' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('must be JSON, such as');
  expect(await map.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('.changes, .stats').count()).toBe(0);
  await close();
});

test('reports an unknown address, and runs no pattern if the address contains malformed values', async () => {
  const { page, close } = await opened(`${demo.address}#/nope`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await heading(page, 'Not here').waitFor();
  await page.getByText('There is no system nope.').waitFor();
  await page.goto(`${demo.address}#/blog/nope`);
  await page.getByText('blog has no nope.').waitFor();
  await page.goto(`${demo.address}#/blog/pattern/blog/getPost?values={broken`);
  await page.getByText('The values in the address are not a JSON object, so nothing was run: {broken').waitFor();
  await page.getByText('Nothing was run.').waitFor();
  expect(await objections(page)).toEqual([]);
  expect(asked).not.toContain('/run');
  await close();
});

test('shows that a slow run is in progress, and reports when the server no longer responds', async () => {
  const explorer = await startExplorer(['--demo', 'blog', 'transporte']);
  const { page, complaints } = await unheard(`${explorer.address}#/blog/pattern/blog/getPost`);
  await lit(page).first().waitFor();
  const engines = descendantsOf(explorer.child.pid);
  await freeze(engines);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Running…').waitFor();
  expect(await page.locator('.stats, tr.lit').count()).toBe(0);
  for (const pid of engines) process.kill(pid, 'SIGCONT');
  await page.getByText('The call returns an item.').waitFor();
  await explorer.stop();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('the command that serves this page is no longer running').waitFor();
  expect(await page.locator('.stats, tr.lit').count()).toBe(0);
  expect(complaints.filter((one) => !one.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  await page.context().close();
});

test('shows a readable page for a bookmark from a previous run of the server', async () => {
  const { page } = await unheard(demo.address.replace(/token=.*/, 'token=old#/blog'));
  await heading(page, 'This address belongs to another run').waitFor();
  expect(await objections(page)).toEqual([]);
  await page.context().close();
});
