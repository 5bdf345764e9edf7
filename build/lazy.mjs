import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './entries.mjs';

const REQUIRED = /^(?:var|const) (\w+) = (require\("[^"]+"\)(?:\.\w+)?);$/;
/** All else that an entry consists of; Node reads the names in it for those who import them into an ES module. */
const OTHER =
  /^("use strict";|Object\.defineProperty\(exports, .*|(exports\.\w+ = )+void 0;|var \w+ = new Proxy\(.*|\/\/.*|)$/;

/** Has an entry that is nothing but exports load each file when something of it is first asked for. */
export function makeLazy() {
  for (const { built, lazy } of entries) {
    if (lazy) writeFileSync(built, readFileSync(built, 'utf8').split('\n').map(exportedLine).join('\n'));
  }
}

/** The same line, if it loads a file, with the loading put off. */
export function lazyLine(line) {
  const [, name, load] = REQUIRED.exec(line) ?? [];
  if (name === undefined) return line;
  // Getters stay as they are, `return name.exported`: of others, Node would not see the names.
  return `var ${name} = new Proxy({}, { get: (file, exported) => (file.loaded ??= ${load})[exported] });`;
}

function exportedLine(line) {
  const lazy = lazyLine(line);
  if (lazy !== line) return lazy;
  if (!OTHER.test(line)) throw new Error(`a lazy entry must be nothing but exports of other files, got: ${line}`);
  return line;
}
