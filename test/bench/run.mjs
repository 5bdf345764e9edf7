import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a process of its own; what it prints is JSON. */
export function run(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const env = { ...process.env, CDK_VALIDATION: 'false', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
  return JSON.parse(execFileSync(process.execPath, [path, ...args.map(String)], { env, encoding: 'utf8' }));
}
