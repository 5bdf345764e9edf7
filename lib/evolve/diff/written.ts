import type { SchemaData } from '../../blueprint/attributes/data';
import { same } from '../canonical';
import { absent } from '../schema/structures';
import { type Change, placed } from './change';
import { list } from './physical';
import type { EntityPair } from './sides';
import { keysWith } from './values';

/** The computed attributes of an entity whose stored values were computed differently, or not at all. */
export function recomputed({ was, is }: Pick<EntityPair, 'was' | 'is'>): readonly string[] {
  return Object.keys(is.computed ?? {}).filter((name) => !same(was.computed?.[name], is.computed?.[name]));
}

/** The changes to attributes that the library writes and whose stored values are now stale. */
export function* writtenChanges(pair: EntityPair): Iterable<Change> {
  const { was, is, entity, after, at } = pair;
  for (const name of recomputed(pair)) {
    const isThere = Object.hasOwn(was.attributes.shape ?? {}, name);
    // A new required attribute is reported as a separate change.
    if (!isThere && absent(is.attributes.shape?.[name] as SchemaData).verdict !== 'yes') continue;
    const keys = isThere ? keysWith(pair, name) : [];
    yield {
      rule: 'attribute-computed',
      ...placed(at, 'entities', entity, 'computed', name),
      subject: { table: after.name, entity, attribute: name },
      verdict: 'plan',
      breaks: [
        {
          who: 'new-readers',
          how: isThere ? `stored items have a ${name} that was ${made(was, name)}` : `stored items have no ${name}`,
        },
        { who: 'old-writers', how: `the running release writes ${isThere ? `${name} as before` : `no ${name}`}` },
        ...(keys.length === 0 ? [] : [{ who: 'index-entries' as const, how: `${list(keys)} is made from it` }]),
      ],
      message: `${name} is ${made(is, name)}, and ${isThere ? `was ${made(was, name)}` : 'stored items lack it'}`,
      fix:
        keys.length === 0
          ? `write the new value, and compute it again in stored items: 'tablewright plan'`
          : `give the new value an attribute of its own, and use that in ${list(keys)}`,
    };
  }
}

function made({ computed }: EntityPair['was'], name: string): string {
  const template = computed?.[name];
  if (template === undefined) return 'given by callers';
  return typeof template === 'string' ? `computed as '${template}'` : `computed from ${list(template.sorted)}, sorted`;
}
