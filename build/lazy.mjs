import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './entries.mjs';

const REQUIRED = /^(?:var|const) (\w+) = (require\("[^"]+"\)(?:\.\w+)?);$/;
/** The other lines of an entry, in which Node finds the names that an ES module can import. */
const OTHER =
  /^("use strict";|Object\.defineProperty\(exports, .*|(exports\.\w+ = )+void 0;|var \w+ = new Proxy\(.*|\/\/.*|)$/;

/** Rewrites an entry of mere exports, so that it loads each file at the first use of one of its exports. */
export function makeLazy() {
  for (const { built, lazy } of entries) {
    if (lazy) writeFileSync(built, readFileSync(built, 'utf8').split('\n').map(exportedLine).join('\n'));
  }
}

/** Rewrites a line that loads a file, so that it loads the file later; returns any other line unchanged. */
export function lazyLine(line) {
  const [, name, load] = REQUIRED.exec(line) ?? [];
  if (name === undefined) return line;
  // The getters keep the form `return name.exported`, because Node finds the names only in this form.
  return `var ${name} = new Proxy({}, { get: (file, exported) => (file.loaded ??= ${load})[exported] });`;
}

function exportedLine(line) {
  const lazy = lazyLine(line);
  if (lazy !== line) return lazy;
  if (!OTHER.test(line)) throw new Error(`a lazy entry must be nothing but exports of other files, got: ${line}`);
  return line;
}
