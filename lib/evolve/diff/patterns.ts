import { boundsOfRange } from '../../blueprint/accesses';
import type { PatternBlueprint } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { same } from '../canonical';
import type { Broken, Change } from './change';
import { list } from './resources';
import type { Pair } from './sides';

/** The changes of a table's patterns, judged by what callers give, what grants allow, and what cursors hold. */
export function* patternChanges({ before, after, path, cloud }: Pair): Iterable<Change> {
  if (before.design === undefined || after.design === undefined) return;
  const was = new Map(before.plan.patterns.map((pattern) => [pattern.name, pattern]));
  const is = new Map(after.plan.patterns.map((pattern) => [pattern.name, pattern]));
  for (const [name, now] of is) {
    const old = was.get(name);
    const at = { path: `${path}.patterns.${name}`, subject: { table: after.name, pattern: name } };
    if (old === undefined) {
      yield { rule: 'pattern-added', ...at, verdict: 'safe', breaks: [], message: `${name} is new`, fix: 'deploy it' };
    } else if (!same(old.design, now.design)) {
      const breaks = patternBreaks(old, now, cloud);
      const waits = breaks.some(({ who }) => who === 'iam' || who === 'cursors');
      yield {
        rule: 'pattern-changed',
        ...at,
        verdict: waits ? 'plan' : 'safe',
        breaks,
        message: `${name} is changed: ${list(differing(old, now))}`,
        fix: waits
          ? 'keep the old one under its name for one more release, and give the new one another name'
          : 'deploy it',
      };
    }
  }
  for (const name of was.keys()) {
    if (is.has(name)) continue;
    const at = `${path}.patterns.${name}`;
    yield {
      rule: 'pattern-removed',
      path: at,
      subject: { table: after.name, pattern: name },
      verdict: 'ask',
      breaks: [
        { who: 'callers', how: `code that calls ${name} no longer compiles` },
        { who: 'iam', how: `the running release loses the permission for ${name}` },
      ],
      message: `${name} is gone`,
      fix: `keep it for one more release, or say why nobody calls it: because: { '${at}': '…' }`,
      asks: 'because',
    };
  }
}

/** The fields of a pattern that changed. */
function differing(was: PatternBlueprint, is: PatternBlueprint): readonly string[] {
  const [before, after] = [was, is].map(({ design }) => design as unknown as Readonly<Record<string, unknown>>);
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.filter((field) => !same(before?.[field], after?.[field]));
}

function patternBreaks(was: PatternBlueprint, is: PatternBlueprint, cloud: Pair['cloud']): readonly Broken[] {
  const breaks: Broken[] = [];
  const [given, wanted] = [was, is].map(parametersOf);
  const missing = (wanted ?? []).filter((name) => !given?.includes(name));
  if (missing.length > 0) breaks.push({ who: 'callers', how: `callers must give ${list(missing)}` });
  if (was.design.op !== is.design.op)
    breaks.push({ who: 'callers', how: `it is a ${is.design.op}, no longer a ${was.design.op}` });
  const places = ({ accesses }: PatternBlueprint) =>
    accesses.map(({ action, index, partition }) => ({ action, index, at: partition?.map((held) => held.at.text) }));
  const reaches = !same(places(was), places(is));
  if (reaches && cloud === 'aws') {
    breaks.push({ who: 'iam', how: 'the running release and the new one need different permissions' });
  }
  const isPaged = was.design.op === 'query' || was.design.op === 'scan';
  const order = ({ design }: PatternBlueprint) => (design.op === 'query' ? (design.order ?? 'ascending') : undefined);
  if (isPaged && (reaches || order(was) !== order(is))) {
    breaks.push({ who: 'cursors', how: 'a page that was begun cannot be continued' });
  }
  return breaks;
}

/** The parameters of its key conditions that a caller must give. */
function parametersOf({ accesses }: PatternBlueprint): readonly string[] {
  const templates = accesses.flatMap(({ action, partition, range }) =>
    action === 'put' ? [] : [...(partition ?? []).map((held) => held.at), ...boundsOfRange(range)],
  );
  return [
    ...new Set(
      templates.flatMap((template) =>
        partsOf(template)
          .filter(({ optional }) => !optional)
          .map(({ name }) => name),
      ),
    ),
  ];
}
