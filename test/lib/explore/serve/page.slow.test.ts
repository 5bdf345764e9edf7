import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { systems } from '../../../../lib/systems';
import { objections, startBrowser, startExplorer } from '../../../support/browser';

const root = join(__dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
const site = join(folder, 'site');
const report = join(folder, 'proof.json');
const lock = join(folder, 'lock.json');
const tablewright = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), ...args], { encoding: 'utf8', cwd: folder });

let browser: Browser;
let demo: Awaited<ReturnType<typeof startExplorer>>;
let hostile: typeof demo;
beforeAll(async () => {
  const proof = (name: string, failure?: string) => ({
    ...{ system: 'blog', name, kind: 'read', operation: 'query', requests: 1, capacity: 1, items: 1 },
    ...(failure === undefined ? {} : { failure }),
  });
  const proofs = [proof('postsByCategory'), proof('latestPosts', 'expected post18, got nothing')];
  writeFileSync(report, JSON.stringify({ engine: 'an engine', proofs }));
  [browser, demo, hostile] = await Promise.all([
    startBrowser(),
    startExplorer('--demo', '--proof', report),
    startExplorer(join(root, 'test/fixtures/hostile.js')),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), demo?.stop(), hostile?.stop()]);
  rmSync(folder, { recursive: true });
});

/** A page, which must not complain about anything, nor ask anybody but its own server. */
async function opened(address: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (one) => {
    if (new URL(one.url()).origin !== new URL(address).origin) complaints.push(one.url());
  });
  await page.goto(address);
  return { page, close: () => context.close().then(() => expect(complaints).toEqual([])) };
}

const lit = (page: Page) => page.locator('tr.lit');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a stranger reads from the page what is under a post, which index lists the posts of an author, and what a reader may do', async () => {
  const { page, close } = await opened(`${demo.address}#/blog`);
  await page.getByRole('navigation', { name: 'Design' }).getByRole('link', { name: 'Items' }).click();
  const partition = page.locator('tbody', { has: page.locator('th code', { hasText: /^POST#p1$/ }) });
  await partition.waitFor();
  expect([...new Set(await partition.locator('.entity').allTextContents())]).toEqual([
    'Comment',
    'Reply',
    'Like',
    'Post',
  ]);

  await page.getByRole('link', { name: 'postsByAuthor' }).click();
  expect(await page.locator('.accesses').textContent()).toContain('query GSI2 where GSI2PK is AUTHOR#<authorId>');
  await page.getByRole('link', { name: 'postsByCategory' }).click();
  await lit(page).first().waitFor();
  expect(await lit(page).count()).toBe(10);
  expect(await page.locator('.stats').textContent()).toBe(
    'It returns 10 items. 1 request, 0.5 capacity units, and there is another page.',
  );
  const granted = page.locator('section', { has: page.getByRole('heading', { name: /may do/ }) });
  expect(await granted.locator('tbody').textContent()).toBe('Queryblog / GSI1CATEGORY#*');
  expect(await page.getByRole('region', { name: 'Input of Query' }).textContent()).toContain('"IndexName": "GSI1"');
  expect(await page.getByRole('region', { name: 'TypeScript call' }).textContent()).toContain(
    "blog.postsByCategory({ subcategoryId: 's1' })",
  );
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('It returns 2 items.').waitFor();
  await close();
});

test('values are typed in, a permalink holds them, and a refusal is shown as code would get it', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/pattern/blog/getPost`);
  await lit(page).first().waitFor();
  await page.getByLabel('postId').fill('p3');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('tr.lit', { hasText: 'POST#p3' }).waitFor();
  const permalink = page.url();
  const other = await opened(permalink);
  await other.page.locator('tr.lit', { hasText: 'POST#p3' }).waitFor();
  await other.close();
  await page.getByLabel('postId').fill('a#b');
  await page.getByRole('button', { name: 'Run' }).click();
  expect(await page.getByRole('alert').textContent()).toMatch(
    /^KeyError: .*POST#<postId>: <postId> is "a#b"; it holds the separator/,
  );
  await close();
});

test('a write shows what it changes, entries of indexes included, and leaves everything as it was', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/pattern/blog/publishPost`);
  const change = page.locator('.changes').first();
  await change.waitFor();
  expect(await page.locator('.stats').textContent()).toContain('It changes 2 items; everything was put back.');
  const row = (name: string) => change.locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) });
  expect(await row('entry of GSI1').locator('td').allTextContents()).toEqual([
    'none',
    'CATEGORY#s1 · POST#2026-03-01T12:00:00.600Z#p2',
  ]);
  expect(await row('status').locator('td').allTextContents()).toEqual(['DRAFT', 'PUBLISHED']);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('It changes 2 items; everything was put back.').waitFor();
  await page.goto(`${demo.address}#/blog/pattern/blog/getPost?values=${encodeURIComponent('{"postId":"p2"}')}`);
  await lit(page).first().waitFor();
  expect(await page.getByRole('region', { name: 'Answer' }).textContent()).toContain('"status": "DRAFT"');
  await close();
});

test('an index greys what it does not project, and a filter finds items by any value', async () => {
  const { page, close } = await opened(`${demo.address}#/transporte`);
  const projected = systems.transporte?.tables ?? {};
  const [table, index] = Object.entries(projected).flatMap(([name, { indexes = {} }]) =>
    Object.entries(indexes).flatMap(([one, { projection = 'all' }]) => (projection === 'all' ? [] : [[name, one]])),
  )[0] as [string, string];
  await page.goto(`${demo.address}#/transporte/table/${table}/${index}`);
  await page.locator('.items .absent').first().waitFor();
  await page.goto(`${demo.address}#/blog/table/blog`);
  await page.getByLabel('Filter').fill('caio@example');
  await page.getByText('1 item', { exact: true }).first().waitFor();
  expect(await page.locator('.items .entity').allTextContents()).toEqual(['User']);
  await close();
});

/** A pattern that gets an item, of the first table that has one. */
const getOf = (system: string) =>
  Object.values(systems[system]?.tables ?? {}).flatMap(({ name, patterns = {} }) =>
    Object.entries(patterns).flatMap(([pattern, { op }]) => (op === 'get' ? [`${name}/${pattern}`] : [])),
  )[0];

test('Azure tables run as well, without units', async () => {
  const { page, close } = await opened(`${demo.address}#/controle-pgm/pattern/${getOf('controle-pgm')}`);
  await page.locator('.stats').waitFor();
  expect(await page.locator('.stats').textContent()).toBe('It returns an item. 1 request.');
  await close();
});

test('search finds entities, attributes and patterns, with the keyboard alone', async () => {
  const { page, close } = await opened(`${demo.address}#/blog`);
  await heading(page, 'blog').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('postsByA');
  await page.getByText('1 found').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading(page, 'postsByAuthor').waitFor();
  await page.getByRole('searchbox', { name: /^Search/ }).fill('cognitoSub');
  expect(await page.locator('.hits li').first().textContent()).toMatch(/cognitoSub attribute · blog · blog · User/);
  await close();
});

test('the proof is green and red by pattern', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/proof`);
  await page.getByText('1 failed: 1 passed, on an engine').waitFor();
  await page.getByRole('link', { name: 'latestPosts' }).first().click();
  await page.getByText('expected post18, got nothing').waitFor();
  await close();
});

test('an engine that was lost is started again', async () => {
  const { page, close } = await opened(`${demo.address}#/booking/pattern/${getOf('booking')}`);
  await page.locator('.stats').waitFor();
  // The engines are children of the command.
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(demo.child.pid)], { encoding: 'utf8' });
  for (const pid of children.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  const run = page.waitForResponse(/\/run$/);
  await page.getByRole('button', { name: 'Run' }).click();
  expect((await run).status()).toBe(200);
  expect(await page.locator('.stats').textContent()).toMatch(/^It (returns|finds)/);
  await close();
});

const VIEWS = [
  ...['', 'findings', 'proof', 'evolution', 'azure', 'map/blog', 'table/blog', 'entity/blog/Post'],
  ...['pattern/blog/postsByCategory', 'pattern/blog/publishPost', 'pattern/blog/nothing'],
];

test.each([
  ['light', VIEWS, undefined],
  ['dark', ['findings', 'map/blog', 'table/blog', 'pattern/blog/publishPost'], ['color-contrast']],
] as const)('axe has nothing to object to in any view, in %s', async (colorScheme, views, rules) => {
  const { page, close } = await opened(demo.address, { colorScheme });
  const found: Record<string, readonly string[]> = {};
  for (const view of views) {
    await page.goto(`${demo.address}#/blog/${view}`);
    await page.locator('main h1').waitFor();
    if (view.startsWith('table')) await page.locator('.items').waitFor();
    if (/by|publish/i.test(view)) await page.locator('.stats').waitFor();
    const problems = await objections(page, rules);
    if (problems.length > 0) found[view] = problems;
  }
  await close();
  expect(found).toEqual({});
});

test('a phone can read it: nothing is wider than the screen, and the menu opens', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/table/blog`, { viewport: { width: 390, height: 800 } });
  await page.locator('.items').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'postsByCategory' }).click();
  await lit(page).first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await close();
});

test('names that are markup are text, and thousands of items are read a page at a time', async () => {
  const { page, close } = await opened(hostile.address);
  await page.getByRole('link', { name: 'Items' }).click();
  await page.getByText('10,000 items', { exact: true }).waitFor();
  expect(await page.locator('.items tbody tr').count()).toBe(100);
  await page.getByRole('button', { name: 'Show more of 10,000 items' }).click();
  await page.locator('.items tbody tr').nth(150).waitFor();
  expect(await page.locator('.items tbody tr').count()).toBe(200);
  expect(await objections(page)).toEqual([]);
  await page.locator('nav a', { hasText: /> 8$/ }).click();
  await lit(page).first().waitFor();
  expect(await objections(page)).toEqual([]);
  await page.getByRole('link', { name: 'Map' }).click();
  await page.locator('.picture').waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).not.toMatch(/^[123]$/);
  await close();
});

test('a design with errors opens, with its findings first', async () => {
  const file = join(folder, 'broken.js');
  const zod = JSON.stringify(join(root, 'node_modules/zod'));
  writeFileSync(
    file,
    `const { z } = require(${zod}); exports.t = { name: 'bro', key: { partition: 'PK' }, patterns: { a: { op: 'get', where: { PK: 'X#<nope>' }, returns: ['Nope'] } },
      entities: { Thing: { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<missing>' } } } };`,
  );
  const broken = await startExplorer(file);
  const { page, close } = await opened(broken.address);
  expect(await page.locator('main .alert').first().textContent()).toMatch(
    /^\d errors?: no table is made from this design/,
  );
  expect(await page.locator('main .finding.error').count()).toBeGreaterThan(0);
  await close();
  await broken.stop();
});

test('with a lock, old and new are side by side, with the phases of the plan', async () => {
  const zod = JSON.stringify(join(root, 'node_modules/zod'));
  const design = (indexes: string) => `const { z } = require(${zod});
    exports.t = { name: 'orders', key: { partition: 'PK' }, ${indexes} patterns: { get: { op: 'get', where: { PK: 'O#<id>' }, returns: ['Order'] } },
      entities: { Order: { attributes: z.object({ id: z.string(), day: z.string() }), keys: { PK: 'O#<id>' } } } };`;
  writeFileSync(join(folder, 'orders.js'), design(''));
  tablewright('record', './orders.js', '--lock', lock);
  writeFileSync(join(folder, 'orders.js'), design(`indexes: { byDay: { partition: 'day' } },`));
  const evolving = await startExplorer(join(folder, 'orders.js'), '--lock', lock);
  const { page, close } = await opened(`${evolving.address}#/orders/evolution`);
  await page.getByRole('heading', { name: 'The plan' }).waitFor();
  const row = page.locator('tr', { has: page.getByRole('rowheader', { name: 'orders index byDay' }) });
  expect(await row.locator('td').allTextContents()).toEqual(['none', 'day; projects all']);
  expect(await objections(page)).toEqual([]);
  await close();
  await evolving.stop();
});

test('nobody but its own page is answered', async () => {
  const { port, searchParams } = new URL(demo.address);
  const token = searchParams.get('token') as string;
  const asked = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: object }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, headers: response.headers });
      })
        .on('error', reject)
        .end(method === 'POST' ? '{"system":"blog","table":"blog"}' : undefined);
    });
  const page = `/?token=${token}`;
  const good = { 'x-tablewright-token': token, origin: `http://127.0.0.1:${port}` };
  expect((await asked('/rows', good, 'POST')).status).toBe(200);
  const { status, headers } = await asked(page, {});
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    ),
    'cache-control': 'no-store',
  });
  expect((await asked('/', {})).status).toBe(403);
  expect((await asked(page, { host: `evil.example:${port}` })).status).toBe(403);
  expect((await asked('/rows', { ...good, origin: 'http://evil.example' }, 'POST')).status).toBe(403);
  expect((await asked('/rows', { ...good, 'x-tablewright-token': 'guessed' }, 'POST')).status).toBe(403);
  expect((await asked('/nothing', good, 'POST')).status).toBe(404);
});

test('the site of the five systems opens from disk, with the answers of their cases, and can be read without scripts', async () => {
  expect(tablewright('explore', '--demo', '--static', site)).toBe(`${join(site, 'index.html')}: written\n`);
  const index = pathToFileURL(join(site, 'index.html')).href;
  const { page, close } = await opened(index, { javaScriptEnabled: false });
  expect(await page.locator('li a').allTextContents()).toEqual(Object.keys(systems));
  await page.getByRole('link', { name: 'blog' }).click();
  await page.waitForURL(/blog\.html$/); // All of it: a long page is there in parts.
  const text = (await page.locator('main').textContent()) as string;
  const told = ['POST#p1', 'postsByAuthor', '"IndexName": "GSI2"', 'the front page is read by everyone'];
  expect(told.filter((one) => !text.includes(one))).toEqual([]);
  await close();
  const blog = await opened(`${pathToFileURL(join(site, 'blog.html')).href}#/blog/pattern/blog/postsByCategory`);
  await lit(blog.page).first().waitFor();
  expect(await lit(blog.page).count()).toBe(10);
  await blog.page.goto(`${pathToFileURL(join(site, 'blog.html')).href}#/blog/table/blog/GSI3`);
  await blog.page.getByText('15 items', { exact: true }).first().waitFor();
  expect(await objections(blog.page)).toEqual([]);
  await blog.close();
});

test('all that the browser runs is under 60 KB', () => {
  const script = readFileSync(join(root, 'dist/lib/explore/page/client.js'));
  expect(gzipSync(script).length).toBeLessThan(60_000);
});
