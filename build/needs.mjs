import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { entries } from './entries.mjs';

const USE_STRICT = '"use strict";\n';

/** Adds a check to every entry that loads peer dependencies. The check names all missing packages in one error. */
export function sayNeeds() {
  for (const { name, built, needs } of entries) {
    if (needs.length === 0) continue;
    const code = readFileSync(built, 'utf8');
    if (!code.startsWith(USE_STRICT)) throw new Error(`${built} must begin with ${USE_STRICT}`);
    const loads = needs.map(
      (module) => `${JSON.stringify(packageOf(module))}: () => require(${JSON.stringify(module)})`,
    );
    const guard = relative(dirname(built), 'dist/constructs/needs');
    const call = `require("${guard}").needs("${join('tablewright', name)}", { ${loads.join(', ')} });\n`;
    if (!code.includes(call)) writeFileSync(built, USE_STRICT + call + code.slice(USE_STRICT.length));
  }
}

function packageOf(module) {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}
