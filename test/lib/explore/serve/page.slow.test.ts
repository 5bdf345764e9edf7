import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { systems } from '../../../../lib/systems';
import { objections, pagesOf, startBrowser, startExplorer } from '../../../support/browser';
import { descendantsOf } from '../../../support/processes';

const root = join(__dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
const site = join(folder, 'site');
const command = join(root, 'dist/bin/tablewright.js');
const tablewright = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [command, ...args], { cwd: folder })).stdout;

const zod = JSON.stringify(join(root, 'node_modules/zod'));
const broken = `const { z } = require(${zod});
  exports.t = { name: 'bro', key: { partition: 'PK' }, patterns: { a: { op: 'get', where: { PK: 'X#<nope>' }, returns: ['Nope'] } },
    entities: { Thing: { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<missing>' } } } };`;
const orders = (indexes: string) => `const { z } = require(${zod});
  exports.t = { name: 'orders', key: { partition: 'PK' }, ${indexes} patterns: { get: { op: 'get', where: { PK: 'O#<id>' }, returns: ['Order'] } },
    entities: { Order: { attributes: z.object({ id: z.string(), day: z.string() }), keys: { PK: 'O#<id>' } } } };`;

let browser: Browser;
/** The server for the bundled systems. */
let demo: Awaited<ReturnType<typeof startExplorer>>;
/** The server for a hostile design, a broken design, and a design that has changed since its lock was recorded. */
let own: typeof demo;
/** Resolves after the static site has been written. */
let written: Promise<string>;
beforeAll(async () => {
  const proof = (name: string, failure?: string) => ({
    ...{ system: 'blog', name, kind: 'read', operation: 'query', requests: 1, capacity: 1, items: 1 },
    ...(failure === undefined ? {} : { failure }),
  });
  const proofs = [proof('postsByCategory'), proof('latestPosts', 'expected post18, got nothing')];
  const report = join(folder, 'proof.json');
  writeFileSync(report, JSON.stringify({ result: { engine: 'an engine', proofs } }));
  writeFileSync(join(folder, 'broken.js'), broken);
  writeFileSync(join(folder, 'orders.js'), orders(''));
  const recorded = async () => {
    await tablewright('record', './orders.js');
    writeFileSync(join(folder, 'orders.js'), orders(`indexes: { byDay: { partition: 'day' } },`));
    return startExplorer([join(root, 'test/fixtures/hostile.js'), './broken.js', './orders.js'], folder);
  };
  [browser, demo, own] = await Promise.all([startBrowser(), startExplorer(['--demo', '--proof', report]), recorded()]);
  written = tablewright('explore', '--demo', '--static', site);
  written.catch(() => undefined);
});
afterAll(async () => {
  await Promise.all([browser?.close(), demo?.stop(), own?.stop(), written?.catch(() => undefined)]);
  rmSync(folder, { recursive: true });
});

const { opened } = pagesOf(() => browser);
const lit = (page: Page) => page.locator('tr.lit');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test("the page shows the items stored under a post, the index that lists an author's posts, and a reader's permissions", async () => {
  const { page, close } = await opened(`${demo.address}#/blog`);
  const posts = page.locator('.kept li', { has: page.locator('code', { hasText: /^POST#<postId>$/ }) }).first();
  expect(await posts.locator('.entity').allTextContents()).toEqual(['Post', 'Comment', 'Reply', 'Like']);
  const listing = page.locator('tr', { has: page.getByRole('link', { name: 'postsByAuthor' }) });
  expect(await listing.getByRole('rowheader').textContent()).toMatch(/^GSI2/);
  await page.getByRole('navigation', { name: 'Design' }).getByRole('link', { name: 'Items' }).click();
  const partition = page.locator('tbody', { has: page.locator('th code', { hasText: /^POST#p1$/ }) });
  await partition.waitFor();
  expect([...new Set(await partition.locator('.entity').allTextContents())]).toEqual([
    'Comment',
    'Reply',
    'Like',
    'Post',
  ]);

  await page.goto(`${demo.address}#/blog/map/blog`);
  await page.getByRole('navigation', { name: 'Entity on the map' }).getByRole('link', { name: 'Bookmark' }).click();
  await page.locator('.picture').getByRole('link', { name: 'postsByAuthor' }).waitFor({ state: 'detached' });
  expect(await page.locator('.picture').getByRole('link', { name: 'bookmarksOfUser' }).count()).toBe(1);
  await page.getByRole('navigation', { name: 'Entity on the map' }).getByRole('link', { name: 'All' }).click();
  await page.locator('.picture').getByRole('link', { name: 'postsByAuthor' }).click();
  expect(await page.locator('.accesses').textContent()).toContain('query GSI2 where GSI2PK is AUTHOR#<authorId>');
  await page.getByRole('navigation', { name: 'Design' }).getByRole('link', { name: 'postsByCategory' }).click();
  await lit(page).first().waitFor();
  expect(await lit(page).count()).toBe(10);
  expect(await page.locator('.stats').textContent()).toBe('The call returns 10 items, and there is another page.');
  expect(await page.locator('.costs dd').allTextContents()).toEqual([
    '1',
    '0.5',
    expect.stringMatching(/^\$0\.0625 at list prices of us-east-1/),
  ]);
  const granted = page.locator('section', { has: page.getByRole('heading', { name: /may do/ }) });
  expect(await granted.locator('tbody').textContent()).toBe('Queryblog / GSI1CATEGORY#*');
  expect(await page.getByRole('region', { name: 'Input of Query' }).textContent()).toContain('"IndexName": "GSI1"');
  expect(await page.getByRole('region', { name: 'TypeScript call' }).textContent()).toContain(
    "db.postsByCategory({ subcategoryId: 's1' })",
  );
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('The call returns 3 items.').waitFor();
  const second = await opened(page.url());
  await second.page.getByText('The call returns 3 items.').waitFor();
  await second.close();
  await page.goBack();
  await page.getByText('The call returns 10 items, and there is another page.').waitFor();
  await page.goForward();
  await page.getByText('The call returns 3 items.').waitFor();
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByText('The call returns 10 items, and there is another page.').waitFor();
  expect(await page.getByRole('link', { name: 'First page' }).count()).toBe(0);
  await close();
});

test('the items fit into a window that is 1440 pixels wide, even if their keys contain UUIDs', async () => {
  const { page, close } = await opened(`${demo.address}#/trimobe/table/RuralCreditAI`, {
    viewport: { width: 1440, height: 900 },
  });
  await page.locator('.items .attributes').first().waitFor();
  const right = (selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().right`);
  expect(await right('.items')).toBeLessThanOrEqual(await right('main h1'));
  await close();
});

test('a permalink contains the entered values, and a refusal shows the error that the call throws', async () => {
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

test('a write shows its changes, including index entries, and leaves the stored items unchanged', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/pattern/blog/editPost`);
  const change = page.locator('.changes').first();
  await change.waitFor();
  expect(await page.locator('.stats').textContent()).toContain('The call changes 1 item; all changes were undone.');
  const row = (name: string) => change.locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) });
  expect(await row('entry in GSI1').locator('td').allTextContents()).toEqual([
    'none',
    'CATEGORY#s1 · POST#2026-03-01T12:00:00.600Z#p2',
  ]);
  expect(await row('publishedAt').locator('td').allTextContents()).toEqual(['none', '2026-03-01T12:00:00.600Z']);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('The call changes 1 item; all changes were undone.').waitFor();
  await page.goto(`${demo.address}#/blog/pattern/blog/getPost?values=${encodeURIComponent('{"postId":"p2"}')}`);
  await lit(page).first().waitFor();
  const answer = await page.getByRole('region', { name: 'Answer' }).textContent();
  expect(answer).toContain('"postId": "p2"');
  expect(answer).not.toContain('publishedAt');
  await close();
});

test('an index grays out attributes that it does not project, and a filter finds items by any value', async () => {
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
  await page.getByRole('button', { name: /^All attributes of PROFILE#/ }).click();
  expect(await page.locator('.items dl').textContent()).toContain('GSI1SKPROFILE');
  const permalink = await opened(page.url());
  await permalink.page.getByText('1 item', { exact: true }).first().waitFor();
  await permalink.close();
  await close();
});

/** Returns the first pattern of a system that gets an item, as `table/pattern`. */
const getOf = (system: string) =>
  Object.values(systems[system]?.tables ?? {}).flatMap(({ name, patterns = {} }) =>
    Object.entries(patterns).flatMap(([pattern, { op }]) => (op === 'get' ? [`${name}/${pattern}`] : [])),
  )[0];

test('the page also runs patterns on Azure tables, and then shows no capacity units', async () => {
  const { page, close } = await opened(`${demo.address}#/controle-pgm/pattern/${getOf('controle-pgm')}`);
  await page.locator('.stats').waitFor();
  expect(await page.locator('.stats').textContent()).toBe('The call returns an item.');
  expect(await page.locator('.costs dt').allTextContents()).toEqual(['Requests', 'A million such calls']);
  await close();
});

test('search finds entities, attributes and patterns, and can be used with only the keyboard', async () => {
  const { page, close } = await opened(`${demo.address}#/blog`);
  await heading(page, 'blog').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('postsByA');
  await page.getByText('1 found').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(page, 'postsByAuthor').waitFor();
  await page.getByRole('searchbox', { name: /^Search/ }).fill('cognitoSub');
  expect(await page.locator('.hits li').first().textContent()).toMatch(/cognitoSub attribute · blog · blog · User/);
  await close();
});

test('the page shows the verdict of the proof and the failure of a pattern', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/proof`);
  await page.getByText(/^Out of date, 1 failed, \d+ not in the report: 1 passed, on an engine$/).waitFor();
  await page.getByText('The report does not say which design of blog was proved').waitFor();
  await page.getByRole('link', { name: 'latestPosts' }).first().click();
  await page.getByText('expected post18, got nothing').waitFor();
  await close();
});

test('the page restarts a lost engine', async () => {
  const { page, close } = await opened(`${demo.address}#/booking/pattern/${getOf('booking')}`);
  await page.locator('.stats').waitFor();
  for (const pid of descendantsOf(demo.child.pid)) process.kill(pid, 'SIGKILL');
  const run = page.waitForResponse(/\/run$/);
  await page.getByRole('button', { name: 'Run' }).click();
  expect((await run).status()).toBe(200);
  expect(await page.locator('.stats').textContent()).toMatch(/^The call (returns|finds)/);
  await close();
});

const VIEWS = [
  ...['', 'findings', 'proof', 'evolution', 'azure', 'map/blog', 'table/blog', 'entity/blog/Post'],
  ...['pattern/blog/postsByCategory', 'pattern/blog/editPost', 'pattern/blog/nothing'],
];

test.each([
  ['light', VIEWS, undefined],
  ['dark', VIEWS, ['color-contrast']],
] as const)('axe finds no violation in any view in %s mode', async (colorScheme, views, rules) => {
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

test('the page prints well: as wide as the paper, in light colors, and without buttons', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/pattern/blog/postsByCategory`, {
    viewport: { width: 718, height: 1000 }, // The width between the margins of an A4 page.
  });
  await lit(page).first().waitFor();
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(718);
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
  expect(await page.locator('nav, button, input[type=search]').filter({ visible: true }).count()).toBe(0);
  const hidden = "(it => it.scrollHeight - it.clientHeight)(document.querySelector('[aria-label=Answer]'))";
  expect(await page.evaluate(hidden)).toBe(0);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  await close();
});

test('the page works on a phone: no element is wider than the screen, and the menu opens', async () => {
  const { page, close } = await opened(`${demo.address}#/blog/table/blog`, { viewport: { width: 390, height: 800 } });
  await page.locator('.items').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  const right =
    "Math.max(...[...document.querySelectorAll('.collections .entity')].map(e => e.getBoundingClientRect().right))";
  expect(await page.evaluate(right)).toBeLessThan(390);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'postsByCategory' }).click();
  await lit(page).first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await close();
});

test('the page escapes markup in names, and splits thousands of items into pages', async () => {
  const { page, close } = await opened(own.address);
  await page.getByRole('link', { name: 'Items' }).click();
  await page.getByText('10,000 items', { exact: true }).waitFor();
  expect(await page.locator('.items tbody tr').count()).toBe(50);
  await page.getByRole('button', { name: 'Show more of 10,000 items' }).click();
  await page.locator('.items tbody tr').nth(75).waitFor();
  expect(await page.locator('.items tbody tr').count()).toBe(100);
  await page.evaluate('scrollTo(0, 0)'); // Users cannot click an element that is under the page header.
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

test('a design with errors opens with its findings first', async () => {
  const { page, close } = await opened(`${own.address}#/bro`);
  expect(await page.locator('main .alert').first().textContent()).toMatch(
    /^\d errors?: no table is created from this design/,
  );
  expect(await page.locator('main .finding.error').count()).toBeGreaterThan(0);
  expect(await objections(page)).toEqual([]);
  await close();
});

test('the page compares the deployed design with the new one and shows the plan, and a pattern without a case runs an example call', async () => {
  const { page, close } = await opened(`${own.address}#/orders/evolution`);
  await page.getByRole('heading', { name: 'The plan' }).waitFor();
  const row = page.locator('tr', { has: page.getByRole('rowheader', { name: 'orders index byDay' }) });
  expect(await row.locator('td').allTextContents()).toEqual(['none', 'day; projects all']);
  expect(await objections(page)).toEqual([]);
  await page.getByRole('link', { name: 'get', exact: true }).click();
  await page.getByText('The call finds nothing.').waitFor();
  expect(await page.getByLabel('id').inputValue()).toBe('a');
  await close();
});

test('the server accepts requests only from its own page', async () => {
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

test('the static site of the five systems opens from disk, shows the results of their cases, and is readable without JavaScript', async () => {
  const files = ['index', ...Object.keys(systems)].map((name) => `${join(site, name)}.html: written\n`);
  expect(await written).toBe(files.join(''));
  const index = pathToFileURL(join(site, 'index.html')).href;
  const { page, close } = await opened(index, { javaScriptEnabled: false });
  expect(await page.locator('li a').allTextContents()).toEqual(Object.keys(systems));
  await page.getByRole('link', { name: 'blog' }).click();
  await page.waitForURL(/blog\.html$/); // Waits for the whole page, because a long page arrives in parts.
  const text = (await page.locator('main').textContent()) as string;
  const run = page.locator('section', { has: page.locator('h1', { hasText: /^postsByCategory/ }) }).last();
  expect(await run.locator('h3').allTextContents()).toEqual([
    ...['Values of the example', 'The request', 'The answer', 'What it costs'],
  ]);
  expect(await run.locator('.costs').textContent()).toMatch(/A million such calls\$0\.0625/);
  const told = ['POST#p1', 'postsByAuthor', '"IndexName": "GSI2"', 'which every visitor reads'];
  expect(told.filter((one) => !text.includes(one))).toEqual([]);
  await page.locator('.picture').first().getByRole('link', { name: 'postsByAuthor' }).click();
  expect(await page.locator(':target h1').textContent()).toMatch(/^postsByAuthor/);
  await close();
  const blog = await opened(`${pathToFileURL(join(site, 'blog.html')).href}#/blog/pattern/blog/postsByCategory`);
  await lit(blog.page).first().waitFor();
  expect(await lit(blog.page).count()).toBe(10);
  await blog.page.goto(`${pathToFileURL(join(site, 'blog.html')).href}#/blog/table/blog/GSI3`);
  await blog.page.getByText('16 items', { exact: true }).first().waitFor();
  expect(await objections(blog.page)).toEqual([]);
  await blog.page.goto(`${pathToFileURL(join(site, 'blog.html')).href}#/booking/findings`);
  await heading(blog.page, 'Not here').waitFor();
  await blog.page.getByRole('link', { name: 'in a file of its own' }).click();
  await blog.page.waitForURL(/booking\.html#\/booking\/findings$/);
  await heading(blog.page, 'Findings').waitFor();
  await blog.page.getByRole('link', { name: 'All systems' }).click();
  await heading(blog.page, 'Systems').waitFor();
  await blog.close();
});

test("the page's script is smaller than 60 KB after compression", () => {
  const script = readFileSync(join(root, 'dist/lib/explore/page/client.js'));
  expect(gzipSync(script).length).toBeLessThan(60_000);
});
