import { readFileSync, writeFileSync } from 'node:fs';
import { entries } from './entries.mjs';

const REQUIRED = /^(?:var|const) (\w+) = (require\("[^"]+"\)(?:\.\w+)?);$/;
/**
 * Matches the lines of an entry that load no file. Some of these lines tell Node which names an ES module can import.
 */
const OTHER =
  /^("use strict";|Object\.defineProperty\(exports, .*|(exports\.\w+ = )+void 0;|var \w+ = new Proxy\(.*|\/\/.*|)$/;

/**
 * Rewrites the lazy entries, which contain only exports, so that a file is loaded when one of its exports is first
 * used.
 */
export function makeLazy() {
  for (const { built, lazy } of entries) {
    if (lazy) writeFileSync(built, readFileSync(built, 'utf8').split('\n').map(exportedLine).join('\n'));
  }
}

/** Rewrites a line that loads a file, so that the file is loaded on first use; returns any other line unchanged. */
export function lazyLine(line) {
  const [, name, load] = REQUIRED.exec(line) ?? [];
  if (name === undefined) return line;
  // The getters must have the form `return name.exported`, because Node recognizes exported names only in this form.
  return `var ${name} = new Proxy({}, { get: (file, exported) => (file.loaded ??= ${load})[exported] });`;
}

function exportedLine(line) {
  const lazy = lazyLine(line);
  if (lazy !== line) return lazy;
  if (!OTHER.test(line)) throw new Error(`a lazy entry must contain only exports of other files, got: ${line}`);
  return line;
}
