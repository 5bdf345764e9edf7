import type { SchemaData } from '../../blueprint/attributes/data';
import { absent, isOpen } from '../schema/structures';
import { bareOf } from '../schema/words';
import type { EntityPair } from './sides';
import type { AttributePair, Found } from './values';
import { replacing } from './whole';

/**
 * Changes to the fields of maps inside an attribute. Both schemas may accept the same maps, but a release that writes a
 * whole map drops the fields that it does not know.
 */
export function* fieldChanges(pair: EntityPair, { name, formerName, was, is }: AttributePair): Iterable<Found> {
  for (const { kind, path } of differing(was, is)) {
    const place = [name, ...path].join('.').replaceAll('.[', '[');
    if (kind === 'closed' || kind === 'strict') {
      yield {
        rule: 'fields-closed',
        verdict: 'ask',
        breaks: [
          {
            who: 'new-readers',
            how:
              kind === 'strict'
                ? `stored items may have fields from an earlier design, and reading such an item fails`
                : `stored items keep undeclared fields: no release reads them, and a write of the whole ${place} drops them`,
          },
        ],
        message:
          kind === 'strict'
            ? `${place} is now refused if it has undeclared fields`
            : `${place} no longer keeps undeclared fields, but stored items may have some`,
        fix: "explain in 'because' why no such field is stored or needed",
        asks: 'because',
      };
      continue;
    }
    const writers = erasersOf(pair, [formerName, ...path]);
    const [what, them] =
      kind === 'opened' ? ['may now have undeclared fields', 'them'] : ['is new and may be left out', 'it'];
    const erase = writers.length === 1 ? 'writes' : 'write';
    yield {
      rule: kind === 'opened' ? 'fields-opened' : 'field-added',
      verdict: writers.length === 0 ? 'safe' : 'plan',
      breaks:
        writers.length === 0
          ? []
          : [
              {
                who: 'old-writers',
                how: `${writers.join(', ')} of the running release ${erase} the map without ${them}`,
              },
            ],
      message: `${place} ${what}`,
      fix:
        writers.length === 0
          ? 'deploy it'
          : `first deploy readers that know ${them}; write ${them} once the last old writer is gone`,
    };
  }
}

interface Differing {
  /**
   * How a map changed: it now accepts undeclared fields, drops undeclared fields, refuses undeclared fields, or has a
   * new field.
   */
  readonly kind: 'opened' | 'closed' | 'strict' | 'added';
  readonly path: readonly string[];
}

function* differing(was: SchemaData, is: SchemaData, path: readonly string[] = []): Iterable<Differing> {
  const [a, b] = [bareOf(was), bareOf(is)];
  for (const inner of ['element', 'valueType'] as const) {
    const [one, other] = [a[inner], b[inner]];
    if (one !== undefined && other !== undefined) yield* differing(one, other, [...path, '[]']);
  }
  if (!isMap(a) || !isMap(b)) return;
  if (isFree(a) !== isFree(b)) yield { kind: isFree(b) ? 'opened' : 'closed', path };
  else if (isStrict(b) && !isStrict(a)) yield { kind: 'strict', path };
  for (const [field, schema] of Object.entries(b.shape ?? {})) {
    const old = a.shape?.[field];
    if (old !== undefined) yield* differing(old, schema, [...path, field]);
    else if (!isFree(a) && absent(schema).verdict === 'yes') yield { kind: 'added', path: [...path, field] };
  }
}

function isMap({ type }: SchemaData): boolean {
  return type === 'object' || type === 'record';
}

function isFree(schema: SchemaData): boolean {
  return schema.type === 'record' || isOpen(schema);
}

function isStrict({ catchall }: SchemaData): boolean {
  return catchall?.type === 'never';
}

/** The running release's patterns that overwrite the whole map, or a value that contains the map. */
function erasersOf(pair: EntityPair, path: readonly string[]): readonly string[] {
  const around = path.map((_, i) => path.slice(0, i + 1).join('.'));
  const setting = pair.before.patterns.filter(({ accesses }) =>
    accesses.some(
      ({ step, entities }) =>
        step.op === 'update' &&
        entities.includes(pair.formerName) &&
        Object.keys(step.set ?? {}).some((own) => around.includes(own)),
    ),
  );
  return [...new Set([...replacing(pair), ...setting.map(({ name }) => name)])];
}
