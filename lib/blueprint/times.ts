import type { TimestampsDesign } from '../design/table';
import { bare, defOf, formOf, kindOf, type Schema } from './attributes/schema';

/**
 * Returns a function that formats a time as the attribute's schema requires: as an ISO string with the schema's
 * precision, as a date, or as a number.
 */
export function timeIn(schema: Schema | undefined, unit?: TimestampsDesign['unit']): (now: number) => unknown {
  const def = schema && defOf(bare(schema));
  if (def !== undefined && kindOf(schema as Schema) === 'number') {
    const inUnit = (now: number) => Math.floor(now / (unit === 'seconds' ? 1000 : 1));
    return def.type === 'bigint' ? (now) => BigInt(inUnit(now)) : inUnit;
  }
  const { format, precision } = (def && formOf(def)) ?? {};
  if (format === 'date') return (now) => new Date(now).toISOString().slice(0, 10);
  const digits = precision ?? 3;
  return (now) => {
    const [whole = '', fraction = ''] = new Date(now).toISOString().slice(0, -1).split('.');
    if (digits < 0) return `${whole.slice(0, -3)}Z`;
    return digits === 0 ? `${whole}Z` : `${whole}.${fraction.slice(0, digits).padEnd(digits, '0')}Z`;
  };
}
