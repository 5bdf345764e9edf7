import type { SchemaData } from '../../blueprint/attributes/data';
import { storedName } from '../../blueprint/stored';
import { describe, included } from '../schema/inclusion';
import { bareOf } from '../schema/words';
import { type EntityPair, itemIn } from './sides';
import type { Found } from './values';

/** Reports a new attribute if stored items may still hold values of an earlier attribute under its name. */
export function* formerChanges(pair: EntityPair, name: string, schema: SchemaData): Iterable<Found> {
  for (const [old, former] of formerIn(pair, name)) {
    const inclusion = included(former, schema);
    if (inclusion.verdict === 'yes') continue;
    const was = describe(bareOf(former));
    yield {
      rule: 'attribute-former',
      verdict: inclusion.verdict === 'no' ? 'plan' : 'ask',
      breaks: [{ who: 'new-readers', how: `items from an earlier design may still contain ${was}: ${inclusion.why}` }],
      message:
        old === name
          ? `in an earlier design of ${itemIn(pair)}, ${name} was ${was}`
          : `an earlier design of ${itemIn(pair)} stored ${was} as '${old}', which is now the stored name of ${name}`,
      fix: 'remove the old values from stored items first, or choose another name',
      ...(inclusion.verdict === 'no' ? {} : { asks: 'because' as const }),
    };
  }
}

/** The attributes of earlier designs whose values may still be stored under a new attribute's name. */
function formerIn({ was, is }: EntityPair, name: string): readonly (readonly [old: string, former: SchemaData])[] {
  return [...new Set([name, storedName(is, name)])].flatMap((old) =>
    (was.former[old] ?? []).map((one) => [old, one] as const),
  );
}
