import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const ZOD = "from 'zod';";

/** The design that the README begins with, as it stands there; its schemas of another flavour of zod, if one is named. */
export function readmeDesign(flavour = 'zod') {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const code = /```ts\n\/\/ blog\.ts\n([\s\S]*?)```/.exec(readme)?.[1];
  if (!code?.includes(ZOD)) throw new Error(`the README must begin with a design in blog.ts that imports z ${ZOD}`);
  return code.replace(ZOD, `from '${flavour}';`);
}
