import type { Browser, Locator } from 'playwright-core';
import { pagesOf, startBrowser, startExplorer } from '../../../support/browser';

let browser: Browser;
let demo: Awaited<ReturnType<typeof startExplorer>>;
beforeAll(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startExplorer(['--demo', 'blog'])]);
});
afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

const { opened } = pagesOf(() => browser);

test('entity names stay above a long map while it scrolls', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/map/blog`);
  const map = page.locator('section.picture');
  await map.evaluate((section) => {
    section.scrollTop = 400;
  });
  const topOf = async (part: Locator) => Math.round((await part.boundingBox())?.y ?? Number.NaN);
  const top = await topOf(map);
  expect(await topOf(map.locator('.heads svg'))).toBe(top);
  expect(await topOf(map.locator('.heads + svg'))).toBe(top - 400);
  await close();
});
