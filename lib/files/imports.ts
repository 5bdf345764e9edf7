import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

/** Matches the relative path in an import, an export, a dynamic import or a `require`. */
const NAMED = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"])(\.{1,2}\/[^'"\n]*|\.{1,2})\1/g;

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

/** Returns the given files and every file that they import by a relative path, directly or indirectly. */
export function filesImportedBy(entries: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const pending = entries.map((entry) => resolve(entry));
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    if (file.endsWith('.json')) continue;
    for (const [, , path = ''] of readFileSync(file, 'utf8').matchAll(NAMED)) {
      const imported = fileAt(resolve(dirname(file), path));
      // Ignore a file that does not exist, because the match may be part of a comment or a string.
      if (imported !== undefined) pending.push(imported);
    }
  }
  return [...found].sort();
}

/**
 * Finds the file that an import path refers to. The path may have no extension, or the extension of the compiled file.
 */
function fileAt(path: string): string | undefined {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const candidates = [path, source].flatMap((name) => [
    ...ENDINGS.map((ending) => `${name}${ending}`),
    ...ENDINGS.map((ending) => resolve(name, `index${ending}`)),
  ]);
  return candidates.find((name) => existsSync(name) && statSync(name).isFile());
}

/** Returns the deepest folder that contains all of these files. */
export function folderOf(files: readonly string[]): string {
  const [first = '.', ...others] = files.map((file) => dirname(resolve(file)));
  let folder = first;
  while (others.some((other) => isOutside(relative(folder, other)))) folder = dirname(folder);
  return folder;
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`);
}
