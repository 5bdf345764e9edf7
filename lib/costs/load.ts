import type { Load, Loads } from '../design/config';
import { suggestion } from '../design/names';
import { isObject } from '../design/show';

const FIELDS: readonly (keyof Load)[] = ['perSecond', 'peak', 'items', 'bytes'];

/**
 * Validates the load of a system's patterns, as given in a configuration or a file; returns a message if the load is
 * invalid.
 */
export function loadsFrom(given: unknown, patterns: readonly string[]): Loads | string {
  if (!isObject(given)) return `'load' must map pattern names to loads, such as ${EXAMPLE}`;
  for (const [pattern, load] of Object.entries(given)) {
    if (!patterns.includes(pattern)) return `load.${pattern} is not a pattern; ${suggestion(pattern, patterns)}`;
    if (!isObject(load)) return `load.${pattern} must be an object such as { "perSecond": 200 }`;
    for (const [field, value] of Object.entries(load)) {
      if (!(FIELDS as readonly string[]).includes(field))
        return `load.${pattern}.${field} is not a field; ${suggestion(field, FIELDS)}`;
      if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
        return `load.${pattern}.${field} must be a non-negative number, got: ${JSON.stringify(value)}`;
    }
    if (load.perSecond === undefined) return `load.${pattern} needs perSecond, the average number of calls per second`;
  }
  return given as Loads;
}

const EXAMPLE = '{ "postsByCategory": { "perSecond": 200, "peak": 2000, "items": 10, "bytes": 1500 } }';
