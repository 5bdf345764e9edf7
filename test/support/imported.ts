import { transformSync } from 'esbuild';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';

/** Evaluates a source file that an importer wrote, and returns its exports. */
export function loaded(source: string): Readonly<Record<string, TableDesign | SystemDesign>> {
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  const load = (name: string) => require(name === 'tablewright' ? '../../lib' : name);
  new Function('require', 'module', 'exports', code)(load, module, module.exports);
  return module.exports;
}

/** Returns the only table that a source file exports. */
export function loadedTable(source: string): TableDesign {
  const [design, ...more] = Object.values(loaded(source));
  if (design === undefined || more.length > 0 || 'tables' in design) throw new Error('expected one table');
  return design;
}
