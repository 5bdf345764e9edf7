// Playwright's launch options for the browser that npm installs. Run as a program, this file prints the options, for
// callers that cannot load ES modules.
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';

/** Default flags to leave out, because they disable the same-origin policy and process isolation. */
const BLIND = ['--single-process', '--no-zygote', '--disable-web-security', '--allow-running-insecure-content'];

export async function launchOptions() {
  return { executablePath: await chromium.executablePath(), args: chromium.args.filter((arg) => !BLIND.includes(arg)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await launchOptions()));
