import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const ZOD = "from 'zod';";

/** Returns the first design in the README, unchanged or with a different flavor of zod. */
export function readmeDesign(flavour = 'zod') {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const code = /```ts\n\/\/ blog\.ts\n([\s\S]*?)```/.exec(readme)?.[1];
  if (!code?.includes(ZOD)) throw new Error(`the README must begin with a design in blog.ts that imports z ${ZOD}`);
  return code.replace(ZOD, `from '${flavour}';`);
}
