import { bare, checksOf, type Def, defOf, type Schema } from './schema';

/** Whether a definition takes whole numbers alone. */
export function isWhole(def: Def): boolean {
  if (def.type === 'bigint') return true;
  return def.type === 'number' && [def, ...checksOf(def)].some(({ format }) => format?.includes('int'));
}

/** The same of a schema, whatever it is wrapped in. */
export function isWholeNumber(schema: Schema): boolean {
  return isWhole(defOf(bare(schema)));
}
