import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './entries.mjs';

const REQUIRED = /^(?:var|const) (\w+) = (require\("[^"]+"\));$/;
/** All else that an entry consists of; Node reads the names in it for those who import them into an ES module. */
const OTHER =
  /^("use strict";|Object\.defineProperty\(exports, .*|(exports\.\w+ = )+void 0;|var \w+ = new Proxy\(.*|\/\/.*|)$/;

/** Has an entry that is nothing but exports load each file when something of it is first asked for. */
export function makeLazy() {
  for (const { built, lazy } of entries) {
    if (lazy) writeFileSync(built, readFileSync(built, 'utf8').split('\n').map(lazyLine).join('\n'));
  }
}

function lazyLine(line) {
  const [, name, load] = REQUIRED.exec(line) ?? [];
  // Getters stay as they are, `return name.exported`: of others, Node would not see the names.
  if (name !== undefined) return `var ${name} = new Proxy({}, { get: (_, exported) => ${load}[exported] });`;
  if (!OTHER.test(line)) throw new Error(`a lazy entry must be nothing but exports of other files, got: ${line}`);
  return line;
}
