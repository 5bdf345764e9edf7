// Measures how long a user waits for the explorer: from the command to the first view, and from a click to its result.
// Runs in a real browser, on the blog and on a demanding design with 200 patterns, 10,000 items, and names that contain
// markup.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { launchOptions } from '../support/chromium.mjs';
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { ROOT } from './root.mjs';
import { verdict } from './verdict.mjs';

/** The command that package.json declares. */
const COMMAND = join(ROOT, createRequire(import.meta.url)(join(ROOT, 'package.json')).bin.tablewright);
const DESIGNS = { blog: ['blog', '--demo'], '10,000 items': [join(ROOT, 'test/fixtures/hostile.js')] };
const STARTS = 5;
const CLICKS = 15;
const MOST = 100;

/** Measures for each design how long the start, the first run and each kind of click take, in milliseconds. */
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
  const mean = (times) => times.reduce((sum, time) => sum + time, 0) / times.length;
  const cpuOf = (name, kind) => mean(measured[name].clicks[kind].map(({ cpu }) => cpu));
  const clockOf = (name, kind) => median(measured[name].clicks[kind].map(({ clock }) => clock));
  const kinds = Object.keys(measured[names[0]].clicks);
  return [
    ...columns([
      ['the explorer', ...names.flatMap((name) => [name, 'on the clock'])],
      ['start to first view', ...names.flatMap((name) => ['', ms(median(measured[name].starts))])],
      ['first run: engine, tables, items', ...names.flatMap((name) => ['', ms(measured[name].first)])],
      ...kinds.map((kind) => [kind, ...names.flatMap((name) => [ms(cpuOf(name, kind)), ms(clockOf(name, kind))])]),
    ]),
    '',
    ...names.map((name) => {
      const [slowest] = kinds.toSorted((a, b) => cpuOf(name, b) - cpuOf(name, a));
      const time = cpuOf(name, slowest);
      return verdict(
        time < MOST,
        `${name}: ${ms(time)} of processor time for the slowest click, ${slowest} (under ${MOST} ms)`,
      );
    }),
  ];
}

async function measureOne(browser, args) {
  const starts = [];
  for (let i = 1; i < STARTS; i++) {
    const one = await opened(browser, args);
    starts.push(one.time);
    await one.close();
  }
  const { page, pid, time, close } = await opened(browser, args);
  try {
    const links = page.locator('nav a[href*="/pattern/"]');
    const patterns = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    // Selects only reads, because only reads highlight rows.
    const reads = [];
    let first;
    for (const href of patterns) {
      const took = await clicked(page, href, 'tr.lit', 30_000).catch(() => undefined);
      first ??= took;
      if (took !== undefined) reads.push(href);
      if (reads.length === 3) break;
    }
    const hrefOf = (view) => page.locator(`nav a[href*="/${view}/"]`).first().getAttribute('href');
    const [table, map] = [await hrefOf('table'), await hrefOf('map')];
    const cpu = await processorOf(page, pid);
    const timed = async (href, shown) => {
      const before = await cpu();
      const clock = await clicked(page, href, shown);
      return { clock, cpu: (await cpu()) - before };
    };
    const clicks = { 'from a pattern to its lit rows': [], 'from a table to its items': [], 'the map': [] };
    for (let i = 0; i < CLICKS; i++) {
      clicks['from a pattern to its lit rows'].push(await timed(reads[i % reads.length], 'tr.lit'));
      clicks['from a table to its items'].push(await timed(table, '.items tbody tr'));
      clicks['the map'].push(await timed(map, '.picture svg'));
    }
    return { starts: [...starts, time], first, clicks };
  } finally {
    await close();
  }
}

/**
 * Returns a function that returns the CPU time, in milliseconds, that the page, the command and its engines have used
 * so far.
 */
async function processorOf(page, pid) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000 + processTime(pid);
  };
}

/**
 * Returns the CPU time, in milliseconds, of a process and its descendants. Linux reports it in hundredths of a second.
 */
function processTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = (Number(fields[11]) + Number(fields[12])) * 10;
  return children.reduce((sum, child) => sum + processTime(child), own);
}

/** Starts the command and opens the printed address. */
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
    pid: child.pid,
    time: performance.now() - began,
    async close() {
      await page.close();
      const end = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await end;
    },
  };
}

/** Measures the time, in milliseconds, from a click on a link to the first frame after the result appears. */
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
