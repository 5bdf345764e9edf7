import type { Finding } from './finding';
import type { TableUnderCheck } from './subject';

/**
 * One fault makes others appear: a misspelt index leaves the right one unused, and a pattern that names an unknown
 * entity finds foreign ones. What only follows from another finding is left out, and comes back if it was more.
 */
export function withoutConsequences(table: TableUnderCheck, found: readonly Finding[]): readonly Finding[] {
  if (found.length < 2) return found;
  const followed = SILENCED.flatMap((silenced) => silenced(table, found));
  return followed.length === 0 ? found : found.filter((finding) => !followed.some((follows) => follows(finding)));
}

/** Whether a finding follows from another one. */
type Follows = (finding: Finding) => boolean;

/** What each kind of fault brings with it. */
const SILENCED: readonly ((table: TableUnderCheck, found: readonly Finding[]) => readonly Follows[])[] = [
  keyOfOneAttribute,
  unreadableTemplates,
  patternsAtFault,
  unservedPatterns,
  samePlace,
  projections,
  unusedIndexes,
];

/** Where partition and sort key are one attribute, what is made of them is beside the point, and so is what lacks them. */
function keyOfOneAttribute({ plan }: TableUnderCheck): readonly Follows[] {
  if (![plan.key, ...plan.indexes].some(({ partition, sort }) => partition === sort)) return [];
  return [
    ({ rule, message }) =>
      (!BASIC.has(rule) && rule !== 'incomplete-key') ||
      (rule === 'unknown-name' && message.includes('no key attribute')),
  ];
}

/** A template that cannot be read, or names nothing, says nothing of what its keys are like. */
function unreadableTemplates(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const unread = new Set(found.filter(({ rule }) => rule === 'template-syntax').map(({ path }) => path));
  return unread.size === 0 ? [] : [({ rule, path }) => rule !== 'template-syntax' && unread.has(path)];
}

/** A pattern, or step, that names an index, an entity or a key that is not there is at fault as a whole. */
function patternsAtFault(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const faulty = new Set<string>();
  for (const { rule, path } of found) {
    if (rule !== 'unknown-name' && rule !== 'template-syntax') continue;
    const [, pattern, field] = /^(patterns\..+?)\.(index|returns|entity|where|keys)(\.|$)/.exec(path) ?? [];
    if (pattern !== undefined && field !== undefined) faulty.add(pattern);
  }
  if (faulty.size === 0) return [];
  return [({ rule, path }) => !BASIC.has(rule) && placesAbove(path).some((place) => faulty.has(place))];
}

/** What is wrong by itself, whatever else is. */
const BASIC: ReadonlySet<string> = new Set(['unknown-name', 'template-syntax', 'limits', 'acknowledgement']);

function placesAbove(path: string): readonly string[] {
  const steps = path.split('.');
  return steps.map((_, i) => steps.slice(0, i).join('.'));
}

/** Where nothing that a pattern wants can be, it does not matter what else is there. */
function unservedPatterns(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const unserved = new Set(
    found.filter(({ rule }) => rule === 'pattern-unserved').map(({ path }) => path.split('.where')[0]),
  );
  if (unserved.size === 0) return [];
  return [({ rule, path }) => rule === 'pattern-pollution' && unserved.has(path.split('.where')[0])];
}

/** At one place the finding that knows most speaks, and those that only see its effect are left out. */
function samePlace(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const there = new Set(found.map(({ rule, path }) => `${rule} ${path}`));
  return [({ rule, path }) => BEFORE[rule]?.some((better) => there.has(`${better} ${path}`)) === true];
}

const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'pattern-unserved': ['unpadded-number'],
  'order-unserved': ['unknown-name'],
  'hot-partition': ['unkeyable', 'incomplete-key', 'unknown-name'],
  'unused-index': ['redundant-index'],
};

/** What an index cannot project is not read through it either. */
function projections({ design }: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const faulty = new Set(found.flatMap(({ path }) => /^indexes\.(.+)\.projection$/.exec(path)?.[1] ?? []));
  if (faulty.size === 0) return [];
  const isOver = (pattern = '') => {
    const read = design.patterns?.[pattern];
    return read?.op === 'query' && faulty.has(read.index ?? '');
  };
  return [
    ({ rule, path }) => rule === 'unprojected' && isOver(/^patterns\.(.+)\.(returns|select|filter)/.exec(path)?.[1]),
  ];
}

/** An index is unused where the pattern that would read it names another by mistake, or none. */
function unusedIndexes({ design }: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const isAstray = found.some(({ rule, path }) => rule === 'unknown-name' && /^patterns\..+\.index$/.test(path));
  if (isAstray) return [({ rule }) => rule === 'unused-index'];
  const unserved = found.filter(({ rule }) => rule === 'pattern-unserved');
  const proposed = new Set(
    Object.keys(design.indexes ?? {}).filter((index) => unserved.some(({ fix }) => fix === `query index ${index}`)),
  );
  return [({ rule, path }) => rule === 'unused-index' && proposed.has(path.slice('indexes.'.length))];
}
