import { z } from 'zod';
import { isOpen, outcomeOf, type Schema, shapeOf } from '../../blueprint/attributes/schema';
import type { EntityDesign } from '../../design/table';
import type { Downs } from '../migration/forms';

/** Wraps a stored value that is already in its new form, so that parsing returns it unchanged. */
export class NewValue {
  public constructor(public readonly value: unknown) {}
}

/**
 * Returns the new schema, except that it converts the attributes in `downs` to the form that the running release
 * writes. Callers can then pass new values, while requests contain old values.
 */
export function withFormerValues(
  is: EntityDesign['attributes'],
  was: EntityDesign['attributes'],
  downs: Downs,
): EntityDesign['attributes'] {
  if (downs.size === 0) return is;
  const [now, before] = [is, was].map((schema) => shapeOf(schema as unknown as Schema)) as [Shape, Shape];
  const former = [...downs].map(([name, down]) => [
    name,
    formerValue(now[name] as Schema, before[name] as Schema, down),
  ]);
  const shape = { ...now, ...Object.fromEntries(former) } as unknown as z.ZodRawShape;
  const schema = isOpen(is as unknown as Schema) ? z.looseObject(shape) : z.object(shape);
  return schema as unknown as EntityDesign['attributes'];
}

type Shape = Readonly<Record<string, Schema>>;

function formerValue(now: Schema, before: Schema, down: (value: unknown) => unknown): z.ZodType {
  const any = outcomeOf(now, undefined).success ? z.any().optional() : z.any();
  return any.transform((given, context) => {
    if (given instanceof NewValue) return given.value;
    const accepted = outcomeOf(now, given);
    const isMissing = accepted.success && (accepted.data === undefined || accepted.data === null);
    const made = !accepted.success || isMissing ? accepted : outcomeOf(before, down(accepted.data));
    if (made.success) return made.data;
    for (const { message } of made.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}
