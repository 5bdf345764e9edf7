import { counterpartOf } from '../../blueprint/keys';
import { entityNamed, type KeyBlueprint } from '../../blueprint/table';
import { type AttributeFacts, attributeAt } from '../../design/schema';
import type { Hole, Template } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { PatternAccess, TableUnderCheck } from '../subject';

export const unpaddedNumber: Rule = {
  id: 'unpadded-number',
  severity: 'warning',
  why: 'Keys are compared as text, in which 10 comes before 9.',
  *check(table) {
    yield* inEntities(table);
    for (const access of table.accesses) yield* inPattern(table, access);
  },
};

function* inEntities({ plan }: TableUnderCheck): Iterable<Found> {
  const sortKeys = new Set([plan.key, ...plan.indexes].flatMap(({ sort }: KeyBlueprint) => (sort ? [sort.name] : [])));
  for (const { name, design, keys } of plan.entities) {
    for (const [attribute, { template, natural }] of keys) {
      if (natural || !sortKeys.has(attribute)) continue;
      for (const hole of template.holes) {
        const facts = attributeAt(design.attributes, hole.path);
        if (hole.format !== undefined || facts?.kind !== 'number' || hasOneWidth(facts)) continue;
        yield {
          path: `entities.${name}.keys.${attribute}`,
          message: `'${template.text}': the number <${hole.name}> sorts as text, 10 before 9`,
          fix: `${isPaddable(facts) ? '' : 'make it z.int().min(0), and '}pad it: <${hole.name}:${widthFor(facts)}>`,
        };
      }
    }
  }
}

/** A number that is padded in the key and not in the pattern, or the other way round, is never found. */
function* inPattern({ plan }: TableUnderCheck, access: PatternAccess): Iterable<Found> {
  if (access.action === 'put') return;
  const { partition, range, key } = access;
  const bounds: (readonly [string | undefined, Template | undefined])[] = [
    [key.partition.name, partition],
    ...(range.kind === 'all' ? [] : range.kind === 'between' ? [range.from, range.to] : [range.at]).map(
      (bound) => [key.sort?.name, bound] as const,
    ),
  ];
  const entities = access.entities.flatMap((name) => entityNamed(plan, name) ?? []);
  for (const [attribute = '', bound] of bounds) {
    for (const hole of bound?.holes ?? []) {
      const written = entities.flatMap(({ keys, design }) => {
        const template = keys.get(attribute)?.template;
        const part = template && bound && counterpartOf(bound, hole, template);
        return part !== undefined && attributeAt(design.attributes, part.path)?.kind === 'number' ? [part] : [];
      });
      const other = written.find(({ format }) => typeof format !== 'string' && format !== hole.format);
      if (other === undefined || typeof hole.format === 'string') continue;
      yield {
        severity: 'error',
        path: `${access.wherePath}.${attribute}`,
        message: `${show(hole)} makes ${seven(hole)} where the key, by ${show(other)}, has ${seven(other)}`,
        fix: `write ${show({ ...other, name: hole.name })}`,
      };
    }
  }
}

function show({ name, format }: Pick<Hole, 'name' | 'format'>): string {
  return `<${name}${format === undefined ? '' : `:${format}`}>`;
}

function seven({ format }: Hole): string {
  return '7'.padStart(typeof format === 'number' ? format : 1, '0');
}

/** Whether all numbers within the bounds have as many digits, as years do. */
function hasOneWidth(facts: AttributeFacts): boolean {
  const { minimum, maximum, values = [minimum, maximum] } = facts;
  const isKnown = values.every((value) => value !== undefined);
  return isKnown && isPaddable(facts) && new Set(values.map((value) => String(value).length)).size === 1;
}

/** Padding is for whole numbers from zero up. */
function isPaddable({ integer, minimum, values }: AttributeFacts): boolean {
  if (values !== undefined) return values.every((value) => Number.isInteger(value) && Number(value) >= 0);
  return integer === true && minimum !== undefined && minimum >= 0;
}

function widthFor({ maximum, values }: AttributeFacts): number {
  const largest = values === undefined ? maximum : Math.max(...values.map(Number));
  return largest === undefined || !Number.isFinite(largest) ? 10 : String(Math.trunc(largest)).length;
}
