import { type AttributeFacts, isAnyText } from '../../blueprint/attributes/facts';
import { canBeText } from '../../blueprint/attributes/texts';
import { type EntityBlueprint, entityNamed, isSortKey, knownParts } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import type { Part } from '../../design/template';
import { type Fault, GUESS, type TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { sortingParts } from '../keys/sorting-parts';
import { isTimeName } from '../names/meaning';
import { inAskedOrder } from './order-unserved';

const causes = {
  'day-first': 'a date begins with the day or the month',
  mixed: 'an attribute may contain either a date or a full timestamp',
  'numeric-text': 'a string contains numbers that may have any number of digits',
  ranks: 'listed values have a natural order that is not alphabetical (a guess)',
  'any-text': 'the name of an attribute suggests a time, but its schema allows any text (a guess)',
} as const;

type Cause = keyof typeof causes;

export const unsortedText: TableRule<'unsorted-text', Cause> = {
  id: 'unsorted-text',
  severity: 'warning',
  why: 'Keys sort as text, so 31-01-2026 comes after 01-12-2026, "10" before "9", and "high" before "low".',
  causes,
  *check(table) {
    for (const source of table.sources) {
      if (!hasParts(source.template) || !isSortKey(table, source.attribute)) continue;
      const entity = entityNamed(table, source.entity) as EntityBlueprint;
      let sorting: readonly Part[] | undefined;
      for (const { part, facts } of knownParts(source)) {
        if (part.format !== undefined || facts === undefined || facts.kind !== 'string') continue;
        const fault = faultOf(entity, part, facts);
        if (fault === undefined) continue;
        sorting ??= sortingParts(table, source);
        if (!sorting.includes(part)) continue;
        const { message, schema, ...rest } = fault;
        const worded = { ...rest, message: `'${source.template.text}': ${message}` };
        yield {
          ...atKey(source, { part: part.name }),
          ...(schema && {
            edits: [{ path: `entities.${source.entity}.attributes.${part.path.join('.')}`, code: schema }],
          }),
          ...(fault.guess ? worded : inAskedOrder(table, source, part, worded)),
        };
      }
    }
  },
};

interface Unsorted extends Fault<Cause> {
  /** The corrected schema of the attribute, as code. */
  readonly schema?: string;
}

const DATETIME = 'z.iso.datetime({ precision: 3 })';
const DAYS = ['31-01-2026', '31/01/2026', '31.01.2026', '01-31-2026', '01/31/2026', '1/31/2026', '31/1/2026'];
const DECIMALS = [['9', '10'] as const, ['9.5', '10.5'] as const, ['9.50', '10.50'] as const];
const VERSIONS = ['1.9.0', '1.10.0'] as const;
const TIMES = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'];

function faultOf(entity: EntityBlueprint, { name, path }: Part, facts: AttributeFacts): Unsorted | undefined {
  const own = path.at(-1) as string;
  // If the schema allows any text, the only hint is the name of the attribute.
  if (isAnyText(facts) && !isTimeName(own)) return undefined;
  if (facts.values !== undefined) return ranked(name, facts.values.map(String));
  const takes = (text: string) => canBeText(entity.design.attributes, path, text) === true;
  // A schema that also accepts letters in place of the digits does not enforce a format.
  const asks = (text: string) => takes(text) && !takes(text.replace(/\d/g, 'x'));
  const { format } = facts;
  if (format !== undefined && format !== 'regex') return undefined;
  if (![...DAYS, ...TIMES, ...DECIMALS.flat(), ...VERSIONS, '2026-01-31'].some(asks)) {
    if (
      facts.patterns !== undefined ||
      !isTimeName(own) ||
      facts.prefix !== undefined ||
      (facts.maximum ?? Infinity) < 20
    )
      return undefined;
    const message = `judging by its name, <${name}> is a time, but its schema allows any text, and text sorts by time only in a fixed format that begins with the year`;
    return { ...GUESS, cause: 'any-text', message, fix: `write ${own}: ${DATETIME}`, schema: DATETIME };
  }
  // If another digit may follow, the last number is not a year: `1.2.3` is a version.
  const day = DAYS.find((one) => asks(one) && !takes(`${one}1`));
  if (day !== undefined && !takes('2026-01-31')) {
    const message = `<${name}> has a format like ${day}, which does not sort by time`;
    return { cause: 'day-first', message, fix: `write the year first: ${own}: z.iso.date()`, schema: 'z.iso.date()' };
  }
  if (asks('2026-01-31') && TIMES.some(asks)) {
    const message = `<${name}> may be a date or a whole timestamp, and a date sorts before every timestamp of its day`;
    return { cause: 'mixed', message, fix: `use only one of the two formats: ${own}: ${DATETIME}`, schema: DATETIME };
  }
  const [nine, ten] = DECIMALS.find((both) => both.every(asks)) ?? [];
  if (nine !== undefined) {
    const message = `<${name}> is a number written as text, which sorts ${ten} before ${nine}`;
    const fix =
      nine === '9'
        ? `store a padded number: ${own}: z.int().min(0), <${name}:10>`
        : `store the smallest unit as a padded whole number: ${own}: z.int().min(0), <${name}:12>`;
    return { cause: 'numeric-text', message, fix };
  }
  if (VERSIONS.every(asks)) {
    const message = `<${name}> contains numbers of varying length, so 1.10.0 sorts before 1.9.0`;
    const schema = 'z.string().regex(/^\\d{3}\\.\\d{3}\\.\\d{3}$/)';
    return { cause: 'numeric-text', message, fix: `give each number a fixed width: ${own}: ${schema}`, schema };
  }
  return undefined;
}

/** Well-known rankings, each from lowest to highest. */
const RANKS: readonly (readonly string[])[] = [
  'lowest trivial minor low normal medium moderate major high higher highest urgent severe critical blocker',
  'xxs xs s m l xl xxl xxxl',
  'tiny small medium large huge',
  'bronze silver gold platinum diamond',
  'free basic standard plus pro premium business enterprise',
  'january february march april may june july august september october november december',
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'monday tuesday wednesday thursday friday saturday sunday',
  'mon tue wed thu fri sat sun',
  'trace debug info notice warn warning error critical alert fatal emergency',
  'beginner novice junior intermediate advanced senior expert master',
  'first second third fourth fifth sixth',
  'one two three four five six seven eight nine ten',
  'p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12',
  '1 2 3 4 5 6 7 8 9 10 11 12',
].map((ranks) => ranks.split(' '));

function ranked(name: string, values: readonly string[]): Unsorted | undefined {
  if (values.length < 2) return undefined;
  const words = values.map((value) => value.toLowerCase());
  const order = RANKS.find((ranks) => words.every((word) => ranks.includes(word)));
  if (order === undefined) return undefined;
  const byRank = [...values].sort((a, b) => order.indexOf(a.toLowerCase()) - order.indexOf(b.toLowerCase()));
  const byText = [...values].sort();
  const isSorted = (other: readonly string[]) => byText.every((value, i) => value === other[i]);
  if (isSorted(byRank) || isSorted([...byRank].reverse())) return undefined;
  const message = `the values of <${name}> look like ranks, but sort alphabetically: ${byText.slice(0, 4).join(', ')}`;
  return {
    ...GUESS,
    cause: 'ranks',
    message,
    fix: `begin each value with its rank, as in '1-${byRank[0]}', or store the rank as a number: z.int().min(1).max(9)`,
  };
}
