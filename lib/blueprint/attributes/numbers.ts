import { bare, checksOf, type Def, defOf, type Schema } from './schema';

/** Whether a definition accepts only whole numbers. */
export function isWhole(def: Def): boolean {
  if (def.type === 'bigint') return true;
  return def.type === 'number' && [def, ...checksOf(def)].some(({ format }) => format?.includes('int'));
}

/** Whether a schema accepts only whole numbers, through all its wrappers. */
export function isWholeNumber(schema: Schema): boolean {
  return isWhole(defOf(bare(schema)));
}
