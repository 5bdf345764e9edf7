import { z } from 'zod';
import { namesIn } from '../../lib/blueprint/system';
import type { Loads } from '../../lib/design/config';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { changed } from './changed';

/** New values, keyed by their path in a design; `undefined` removes a value. */
export type Edits = Readonly<Record<string, unknown>>;

export type Design = TableDesign | SystemDesign;

/** Returns a load of 50,000 calls per second for each pattern, which exceeds the capacity of twenty partitions. */
export function busy(design: Design): Loads {
  return Object.fromEntries(namesIn(design).map((name) => [name, { perSecond: 50_000 }]));
}

/**
 * Returns a copy of a design with a planted fault. If a path leads to an attribute, such as
 * `entities.Order.attributes.total`, its new value is a schema.
 */
export function withFault(design: Design, edits: Edits): Design {
  return Object.entries(edits).reduce<Design>((copy, [path, value]) => {
    const steps = path.split('.');
    const at = steps.indexOf('attributes');
    if (at < 0 || at === steps.length - 1) return changed(copy, steps, value);
    const holder = steps.slice(0, at + 1);
    const shape = shapeAt(copy, holder);
    return changed(copy, holder, z.object(changed(shape, [steps[at + 1] as string], value)));
  }, design);
}

/** Returns an entity's attributes, whether the schema is from zod or zod/mini. */
function shapeAt(design: Design, path: readonly string[]): Record<string, z.ZodType> {
  const schema = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], design);
  return (schema as { readonly _zod: { readonly def: { readonly shape: Record<string, z.ZodType> } } })._zod.def.shape;
}
