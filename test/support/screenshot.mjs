// Takes the screenshot of the explorer for the README: npm run build && node test/support/screenshot.mjs
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { launchOptions } from './chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The app that `tablewright init` writes, linked to the built package.
const app = mkdtempSync(join(tmpdir(), 'tablewright-screenshot-'));
for (const file of ['design.ts', 'cases.ts', 'tablewright.config.ts'])
  cpSync(join(root, 'examples/start/aws/typescript', file), join(app, file));
mkdirSync(join(app, 'node_modules'));
symlinkSync(root, join(app, 'node_modules/tablewright'));
symlinkSync(join(root, 'node_modules/zod'), join(app, 'node_modules/zod'));

const explorer = spawn(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'explore'], {
  cwd: app,
});
const browser = await chromium.launch(await launchOptions());
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 885 } });
  await page.goto(`${await addressOf(explorer)}#/shop/pattern/orders/openOrders`);
  await page.getByText('The call returns').waitFor();
  await page.screenshot({ path: join(root, 'docs/explorer.png'), animations: 'disabled' });
} finally {
  await browser.close();
  explorer.kill();
  rmSync(app, { recursive: true });
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text;
        const [, address] = /^open (\S+)$/m.exec(said) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once('exit', () => reject(new Error(said)));
  });
}
