// What a person waits for in the explorer: from the command to the first view, and from a click to what it shows. In a real
// browser, on the blog and on a design that asks for much: names that are markup, 10,000 items, 200 patterns.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { launchOptions } from '../support/chromium.mjs';
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { ROOT } from './root.mjs';
import { verdict } from './verdict.mjs';

/** The command, as the package names it. */
const COMMAND = join(ROOT, createRequire(import.meta.url)(join(ROOT, 'package.json')).bin.tablewright);
const DESIGNS = { blog: ['blog', '--demo'], '10,000 items': [join(ROOT, 'test/fixtures/hostile.js')] };
const STARTS = 5;
const CLICKS = 15;
const MOST = 100;

/** Milliseconds by design: of the start, of the first click, and of each kind of click. */
export async function measure() {
  const browser = await chromium.launch(await launchOptions());
  try {
    const measured = {};
    for (const [name, args] of Object.entries(DESIGNS)) measured[name] = await measureOne(browser, args);
    return measured;
  } finally {
    await browser.close();
  }
}

export function report(measured) {
  const names = Object.keys(measured);
  const ms = (time) => `${time.toFixed(0)} ms`;
  /** Of each design the median, and the fastest: what else the machine does only adds to it. */
  const both = (of) => names.flatMap((name) => [ms(median(of(measured[name]))), ms(Math.min(...of(measured[name])))]);
  const kinds = Object.keys(measured[names[0]].clicks);
  const slowest = names.map((name) => {
    const all = Object.entries(measured[name].clicks).map(([kind, times]) => [kind, median(times)]);
    return [name, ...all.sort(([, a], [, b]) => b - a)[0]];
  });
  return [
    ...columns([
      ['the explorer', ...names.flatMap((name) => [name, 'fastest'])],
      ['start to first view', ...both(({ starts }) => starts)],
      ['first run: engine, tables, items', ...both(({ first }) => [first])],
      ...kinds.map((kind) => [kind, ...both(({ clicks }) => clicks[kind])]),
    ]),
    '',
    ...slowest.map(([name, kind, time]) =>
      verdict(time < MOST, `${name}: ${ms(time)} for the slowest click, ${kind} (under ${MOST} ms)`),
    ),
  ];
}

async function measureOne(browser, args) {
  const starts = [];
  for (let i = 1; i < STARTS; i++) {
    const one = await opened(browser, args);
    starts.push(one.time);
    await one.close();
  }
  const { page, time, close } = await opened(browser, args);
  try {
    const patterns = await page
      .locator('nav a[href*="/pattern/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    // Reads alone: they light something up.
    const reads = [];
    let first;
    for (const href of patterns) {
      const took = await clicked(page, href, 'tr.lit', 10_000).catch(() => undefined);
      first ??= took;
      if (took !== undefined) reads.push(href);
      if (reads.length === 3) break;
    }
    const table = await page.locator('nav a[href*="/table/"]').first().getAttribute('href');
    const map = await page.locator('nav a[href*="/map/"]').first().getAttribute('href');
    const clicks = { 'a pattern to its lit rows': [], 'a table to its items': [], 'the map': [] };
    for (let i = 0; i < CLICKS; i++) {
      clicks['a pattern to its lit rows'].push(await clicked(page, reads[i % reads.length], 'tr.lit'));
      clicks['a table to its items'].push(await clicked(page, table, '.items tbody tr'));
      clicks['the map'].push(await clicked(page, map, '.picture svg'));
    }
    return { starts: [...starts, time], first, clicks };
  } finally {
    await close();
  }
}

/** Starts the command and opens what it prints. */
async function opened(browser, args) {
  const began = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'explore', ...args], { cwd: ROOT });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const [, found] = /^open (\S+)$/m.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`tablewright explore ended: ${said}`)));
  });
  const page = await browser.newPage();
  await page.goto(address);
  await page.locator('main h1').waitFor();
  return {
    page,
    time: performance.now() - began,
    async close() {
      await page.close();
      const end = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await end;
    },
  };
}

/** Milliseconds from a click on a link of the page to the frame after what it shows is there. */
function clicked(page, href, shown, patience = 5000) {
  return page.evaluate(
    ([to, what, most]) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const before = document.querySelector(what);
        const look = () => {
          const there = document.querySelector(what);
          if (there === null || there === before) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.querySelector('main'), { childList: true, subtree: true });
        setTimeout(() => reject(new Error(`${what} was not there in time after a click on ${to}`)), most);
        [...document.querySelectorAll('nav a')].find((link) => link.getAttribute('href') === to).click();
      }),
    [href, shown, patience],
  );
}
