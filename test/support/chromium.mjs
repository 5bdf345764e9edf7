// A browser that comes with npm alone: what Playwright is to start. Run by itself, it prints that as JSON, for those who load no modules.
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';

/** What makes it blind to the rules between origins is left out. */
const BLIND = ['--single-process', '--no-zygote', '--disable-web-security', '--allow-running-insecure-content'];

export async function launchOptions() {
  return { executablePath: await chromium.executablePath(), args: chromium.args.filter((arg) => !BLIND.includes(arg)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await launchOptions()));
