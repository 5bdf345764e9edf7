import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';

const root = join(__dirname, '../..');

/** Starts `tablewright explore` as a user does, and returns the printed address. */
export async function startExplorer(args: readonly string[], cwd = root) {
  const child = spawn(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'explore', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...process.env },
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += text;
        const [, found] = /^open (\S+)$/m.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(said)));
  });
  return { address, child, stop: () => ended(child) };
}

function ended(child: ChildProcess): Promise<unknown> {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return end;
}

/** Launches the browser that npm installed. */
export function startBrowser(): Promise<Browser> {
  // The browser's package is an ES module, which jest cannot load.
  const output = execFileSync(process.execPath, [join(__dirname, 'chromium.mjs')], { encoding: 'utf8' });
  return playwright.launch(JSON.parse(output));
}

/** Returns functions that open pages in a browser. The browser may start later. */
export function pagesOf(browser: () => Browser) {
  /** Opens a page, and collects its problems: console messages, errors, and requests to other servers. */
  const unheard = async (address: string, options: BrowserContextOptions = {}) => {
    const context = await browser().newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (one) => {
      if (new URL(one.url()).origin !== new URL(address).origin) complaints.push(one.url());
    });
    await page.goto(address);
    return { page, complaints };
  };
  /** Opens a page whose `close` expects that the page had no problems. */
  const opened = async (address: string, options: BrowserContextOptions = {}) => {
    const { page, complaints } = await unheard(address, options);
    const close = async () => {
      await page.context().close();
      expect(complaints).toEqual([]);
    };
    return { page, close };
  };
  return { opened, unheard };
}

/** The axe tags for WCAG 2.2 AA and for best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the violations that axe finds on a page, one line each. */
export async function objections(page: Page, rules: readonly string[] = TAGS): Promise<readonly string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(source);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
