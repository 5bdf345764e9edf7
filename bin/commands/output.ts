import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from './command';

/** Fails if the file's folder does not exist: otherwise, a typo in the path would create new folders. */
export function assertFolder(option: string, file: string | undefined): void {
  if (file === undefined || existsSync(dirname(file))) return;
  throw new FileError(
    `${option}: there is no folder '${dirname(file)}'; create the folder first, or choose another file`,
  );
}
