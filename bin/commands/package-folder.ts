import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds this package's folder, no matter where the build put this file. */
export function packageFolder(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new Error(`there is no package.json above '${__dirname}'; install tablewright again`);
}
