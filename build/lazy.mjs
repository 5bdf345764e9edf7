import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './entries.mjs';

const REQUIRED = /^(?:var|const) (\w+) = (require\("[^"]+"\));$/;
const EXPORTED =
  /^(Object\.defineProperty\(exports, "\w+", \{ enumerable: true, get: function \(\) \{ return )(\w+|require\("[^"]+"\))(\.\w+; \} \}\);)$/;
/** What stands before the exports; of it, Node reads their names for those who import them into an ES module. */
const HEAD =
  /^("use strict";|Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);|(exports\.\w+ = )+void 0;|\/\/.*|)$/;

/** Has an entry that is nothing but exports load each file when something of it is first asked for. */
export function makeLazy() {
  for (const { built, lazy } of entries) if (lazy) writeFileSync(built, lazyCode(readFileSync(built, 'utf8'), built));
}

function lazyCode(code, file) {
  const loads = new Map();
  const lines = code.split('\n').flatMap((line) => {
    const [, name, load] = REQUIRED.exec(line) ?? [];
    if (name !== undefined) {
      loads.set(name, load);
      return [];
    }
    const [, start, from, end] = EXPORTED.exec(line) ?? [];
    if (from !== undefined) return [`${start}${loads.get(from) ?? from}${end}`];
    if (!HEAD.test(line)) throw new Error(`${file} must be nothing but exports of other files, got: ${line}`);
    return [line];
  });
  return lines.join('\n');
}
