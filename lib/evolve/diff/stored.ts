import type { LockedEntity } from '../lock/lock';
import { type Change, placed } from './change';
import { pair as paired } from './pairs';
import type { EntityPair } from './sides';

/** The attributes that the table stores under a different name than before. */
export function* storedChanges(pair: EntityPair): Iterable<Change> {
  const { was, is, entity, formerName, before, after, at, answers } = pair;
  const [old, now] = [was.attributes.shape ?? {}, is.attributes.shape ?? {}];
  for (const [former, name] of paired(old, now, answers, before.name, formerName).both) {
    const [stored, next] = [storedIn(was, former), storedIn(is, name)];
    if (stored === next || (former !== name && stored === former && next === name)) continue;
    yield {
      rule: 'attribute-stored',
      ...placed(at, 'entities', entity, 'stored', name),
      subject: { table: after.name, entity, attribute: name },
      verdict: 'plan',
      breaks: [
        { who: 'new-readers', how: `stored items have it as '${stored}'` },
        { who: 'old-readers', how: `the running release looks for '${stored}'` },
      ],
      was: stored,
      is: next,
      message: `${name} is stored as '${next}', and was stored as '${stored}'`,
      fix: `keep ${stored === name ? `${name} out of stored` : `stored: { ${name}: '${stored}' }`}, or add an attribute that is stored as '${next}', and move the values with your own code`,
    };
  }
}

function storedIn({ stored = {} }: LockedEntity, attribute: string): string {
  return Object.hasOwn(stored, attribute) ? (stored[attribute] as string) : attribute;
}
