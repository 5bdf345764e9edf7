import type { SchemaData } from '../../blueprint/attributes/data';
import { included } from '../schema/inclusion';
import { isOpen } from '../schema/structures';
import type { Broken } from './change';
import type { EntityPair } from './sides';
import type { Found } from './values';

/** Changes to a schema's rules for a whole item: refinements over several attributes, and catch-alls. */
export function* wholeChanges(pair: EntityPair): Iterable<Found> {
  yield* opennessChanges(pair);
  const whole = ({ checks, catchall }: SchemaData): SchemaData => ({
    type: 'object',
    shape: {},
    ...(checks && { checks }),
    // Undeclared attributes are removed before an item is parsed, so a strict schema has nothing to reject.
    ...(catchall && catchall.type !== 'never' && { catchall }),
  });
  const [was, is] = [whole(pair.was.attributes), whole(pair.is.attributes)];
  const verdicts = [included(was, is), included(is, was)];
  if (verdicts.every(({ verdict }) => verdict === 'yes')) return;
  yield {
    rule: 'attribute-code',
    verdict: 'ask',
    breaks: verdicts.flatMap(({ verdict, why }, i): Broken[] =>
      verdict === 'yes' ? [] : [{ who: i === 0 ? 'new-readers' : 'old-readers', how: why ?? '' }],
    ),
    message: `the rules for whole ${pair.entity} items were edited`,
    fix: "explain in 'because' why every stored item passes, and why old readers accept new items",
    asks: 'because',
  };
}

/** The patterns of the running release that replace whole items. */
export function replacing({ before, formerName }: EntityPair): readonly string[] {
  return before.patterns
    .filter(({ accesses }) =>
      accesses.some(
        ({ step, entities }) => step.op === 'put' && step.replace === true && entities.includes(formerName),
      ),
    )
    .map(({ name }) => name);
}

/**
 * The change, if any, that opens or closes an entity. Opening an entity shows its undeclared attributes; closing it
 * hides them.
 */
function* opennessChanges(pair: EntityPair): Iterable<Found> {
  const [wasOpen, isNowOpen] = [isOpen(pair.was.attributes), isOpen(pair.is.attributes)];
  if (wasOpen !== isNowOpen) yield isNowOpen ? opened(pair) : closed(pair);
}

function opened(pair: EntityPair): Found {
  const { entity } = pair;
  const about = {
    rule: 'entity-opened' as const,
    message: `${entity} may now have undeclared attributes`,
  };
  const left = unfitting(pair);
  if (left.length > 0) {
    return {
      ...about,
      verdict: 'ask',
      breaks: [
        {
          who: 'new-readers',
          how: `stored items may still have ${left.join(', ')} from an earlier design, with values that the schema refuses`,
        },
      ],
      fix: `explain in 'because' why no stored item still has ${left.join(' or ')}`,
      asks: 'because',
    };
  }
  const erasers = replacing(pair);
  if (erasers.length === 0) return { ...about, verdict: 'safe', breaks: [], fix: 'deploy it' };
  const erases =
    erasers.length === 1
      ? 'replaces whole items and so erases undeclared attributes'
      : 'replace whole items and so erase undeclared attributes';
  return {
    ...about,
    verdict: 'plan',
    breaks: [{ who: 'old-writers', how: `${erasers.join(', ')} of the running release ${erases}` }],
    fix: 'first deploy readers that know undeclared attributes; write such attributes once the last old writer is gone',
  };
}

function closed({ entity }: EntityPair): Found {
  return {
    rule: 'entity-closed',
    verdict: 'ask',
    breaks: [
      {
        who: 'new-readers',
        how: 'stored items keep undeclared attributes: no release reads them, and a put that replaces an item drops them',
      },
    ],
    message: `${entity} no longer keeps undeclared attributes, but stored items may have some`,
    fix: "explain in 'because' why no undeclared attribute is stored or needed",
    asks: 'because',
  };
}

/** The attributes of earlier designs whose values an open entity would refuse. */
function unfitting({ was, is }: EntityPair): readonly string[] {
  const { catchall, shape = {} } = is.attributes;
  const former = Object.entries(was.former).filter(([name]) => !Object.hasOwn(shape, name));
  return former.flatMap(([name, schemas]) =>
    schemas.every((schema) => included(schema, catchall as SchemaData).verdict === 'yes') ? [] : [name],
  );
}
