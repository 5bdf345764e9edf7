import { storedName } from '../../blueprint/stored';
import { type Change, placed } from './change';
import { pair as paired } from './pairs';
import type { EntityPair } from './sides';

/**
 * Reports attributes that are stored under a different name than before, or under the former stored name of another
 * attribute.
 */
export function* storedChanges(pair: EntityPair): Iterable<Change> {
  const { was, is, entity, formerName, before, after, at, answers } = pair;
  const [old, now] = [was.attributes.shape ?? {}, is.attributes.shape ?? {}];
  const { both, added } = paired(old, now, answers, before.name, formerName);
  const change = (name: string): Pick<Change, 'rule' | 'path' | 'at' | 'subject' | 'verdict' | 'is'> => ({
    rule: 'attribute-stored',
    ...placed(at, 'entities', entity, 'stored', name),
    subject: { table: after.name, entity, attribute: name },
    verdict: 'plan',
    is: storedName(is, name),
  });
  for (const [former, name] of both) {
    const [stored, next] = [storedName(was, former), storedName(is, name)];
    // If the attribute itself is renamed, another rule reports it.
    if (stored === next || former !== name) continue;
    const keep = stored === name ? `'${name}' out of 'stored'` : `stored: { ${name}: '${stored}' }`;
    yield {
      ...change(name),
      breaks: [
        { who: 'new-readers', how: `stored items use the name '${stored}'` },
        { who: 'old-readers', how: `the running release looks for '${stored}'` },
      ],
      was: stored,
      message: `'${name}' is now stored as '${next}' instead of '${stored}'`,
      fix: `keep ${keep}; or write both names, and copy the values in stored items: 'npx tablewright plan'`,
    };
  }
  const owners = new Map(Object.keys(old).map((name) => [storedName(was, name), name]));
  for (const name of added) {
    const stored = storedName(is, name);
    const owner = owners.get(stored);
    if (owner === undefined || owner === name) continue;
    yield {
      ...change(name),
      breaks: [{ who: 'new-readers', how: `stored items have '${owner}' under the name '${stored}'` }],
      message: `'${name}' is stored as '${stored}', the former stored name of '${owner}'`,
      fix: `store '${name}' under a name that no attribute has used before`,
    };
  }
}
