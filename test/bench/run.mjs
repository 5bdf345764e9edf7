import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script from this folder in its own process, without CDK's validation of templates, and parses its JSON output.
 */
export function run(script, ...args) {
  return runWith({ CDK_VALIDATION: 'false' }, script, ...args);
}

/** Like `run`, but with the given environment variables. */
export function runWith(settings, script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const env = { ...process.env, ...settings, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
  return JSON.parse(execFileSync(process.execPath, [path, ...args.map(String)], { env, encoding: 'utf8' }));
}
