import { suggestion } from '../../design/names';
import { isObject, show } from '../../design/show';
import type { Lock } from '../lock/lock';
import { EvolutionError } from '../lock/read';
import type { Answers } from './change';

/** All kinds of answers, each with an example. */
const EXAMPLES: Required<Answers> = {
  renamed: { 'blog.Post.nome': 'name' },
  split: { 'blog.Post': ['PostText'] },
  merged: { 'blog.Draft': 'Post' },
  moved: { 'blog.Comment': 'comments' },
  nested: { 'blog.Author.city': 'address' },
  formatted: { 'blog.Event.at': 'seconds become milliseconds' },
  because: { 'tables.blog.entities.Draft': 'never used' },
};

function exampleOf(...names: readonly (keyof Answers)[]): string {
  const shown = names.map((name) => `${name}: ${JSON.stringify(EXAMPLES[name]).replaceAll('"', "'")}`);
  return `{ ${shown.join(', ')} }`;
}

/** Validates answers, which come from a file or from code. */
export function readAnswers(given: unknown, place = 'answers'): Answers {
  if (given === undefined) return {};
  const example = exampleOf('renamed', 'because');
  if (!isObject(given)) throw new EvolutionError(`${place} must be an object such as ${example}, got: ${show(given)}`);
  const known = Object.keys(EXAMPLES);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new EvolutionError(
        `${place}.${name} is not a known kind of answer (example: ${example}); ${suggestion(name, known)}`,
      );
    }
    const [what, isRight] = name === 'split' ? (['lists of names', isNames] as const) : (['strings', isText] as const);
    if (!isObject(value) || !Object.values(value).every(isRight)) {
      throw new EvolutionError(
        `${place}.${name} must be an object of ${what}, such as ${exampleOf(name as keyof Answers)}, got: ${show(value)}`,
      );
    }
  }
  return given;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

/**
 * Returns the new name of a table, entity or attribute in the lock, or its old name if it was not renamed. An answer
 * may shorten `blog.Post.nome` to `nome`.
 */
export function newNameOf({ renamed = {} }: Answers, ...place: readonly string[]): string {
  return answerAt(renamed, place) ?? (place.at(-1) as string);
}

/** The new entities that an entity in the lock is split into. */
export function partsOf({ split = {} }: Answers, table: string, entity: string): readonly string[] {
  return [...(answerAt(split, [table, entity]) ?? [])].sort();
}

/** The entity of the same table that an entity is merged into. */
export function mergedInto({ merged = {} }: Answers, table: string, entity: string): string | undefined {
  return answerAt(merged, [table, entity]);
}

/** The table that an entity moves to. */
export function movedTo({ moved = {} }: Answers, table: string, entity: string): string | undefined {
  return answerAt(moved, [table, entity]);
}

/** Whether an entity of a table came from a different table, under its old name or under a new name. */
export function arrivesIn({ moved = {}, renamed = {} }: Answers, table: string, entity: string): boolean {
  const last = (way: string) => way.slice(way.lastIndexOf('.') + 1);
  return Object.entries(moved).some(
    ([from, to]) =>
      to === table &&
      (last(from) === entity ||
        Object.entries(renamed).some(([old, now]) => now === entity && last(old) === last(from))),
  );
}

/** The user's description of how the keys render an attribute differently than before. */
export function formattedAs({ formatted = {} }: Answers, ...place: readonly string[]): string | undefined {
  return answerAt(formatted, place);
}

/** The map and the field that an attribute moves to; undefined if the attribute does not move into a map. */
export function nestedAt(
  { nested = {} }: Answers,
  maps: Readonly<Record<string, { readonly shape?: object }>>,
  ...place: readonly string[]
): readonly [map: string, field: string] | undefined {
  const answer = answerAt(nested, place);
  if (answer === undefined) return undefined;
  const map = Object.keys(maps).find((name) => answer === name || answer.startsWith(`${name}.`));
  return map === undefined ? undefined : [map, answer.slice(map.length + 1) || (place.at(-1) as string)];
}

function answerAt<T>(answers: Readonly<Record<string, T>>, place: readonly string[]): T | undefined {
  const name = waysTo(place).find((way) => Object.hasOwn(answers, way));
  return name === undefined ? undefined : answers[name];
}

/** The names that an answer may use for a place: the whole path, or any suffix of it. */
function waysTo(place: readonly string[]): readonly string[] {
  return place.map((_, i) => place.slice(i).join('.'));
}

/** The reason given for a place or, if there is none, for the nearest place that contains it. */
export function reasonFor({ because = {} }: Answers, at: readonly string[]): string | undefined {
  const paths = at.map((_, i) => at.slice(0, at.length - i).join('.'));
  const nearest = paths.find((path) => Object.hasOwn(because, path));
  return nearest === undefined ? undefined : because[nearest];
}

/** The possible answers for a removed name, in the user's syntax. */
export function answerFor(answer: keyof Answers, former: string, candidates: readonly string[]): readonly string[] {
  return candidates.map((candidate) => `${answer}: { '${former}': '${candidate}' }`);
}

/** Tells the user how to answer for a removed name: with its destination, or with the reason for its removal. */
export function fixForGone(path: string, ways: readonly string[]): string {
  const reason = `give the reason for the removal: because: { '${path}': '…' }`;
  return ways.length === 0 ? reason : `answer with ${ways.join(' or ')}, or ${reason}`;
}

function shownPlace(place: readonly string[]): string {
  return [...place]
    .reverse()
    .map((name) => `'${name}'`)
    .join(' of ');
}

/**
 * Rejects an answer about a name that is not in the lock or the design, because such an answer would silently have no
 * effect.
 */
export function assertAnswers(answers: Answers, lock: Lock, after: Lock): void {
  const { because: _, ...places } = answers;
  const names = Object.entries(lock.tables).flatMap(([table, { design }]) => [
    [table],
    ...Object.entries(design?.entities ?? {}).flatMap(([entity, { attributes }]) => [
      [table, entity],
      ...Object.keys(attributes.shape ?? {}).map((attribute) => [table, entity, attribute]),
    ]),
  ]);
  const ways = new Set(names.flatMap(waysTo));
  const meant = (way: string) => names.filter((place) => place.join('.') === way);
  for (const [answer, given] of Object.entries(places)) {
    for (const way of Object.keys(given)) {
      const [one, other] = meant(way);
      if (one !== undefined && other !== undefined) {
        throw new EvolutionError(
          `answers.${answer}: '${way}' can mean ${shownPlace(one)} or ${shownPlace(other)}, because names may contain dots; rename one of them first`,
        );
      }
      if (ways.has(way)) continue;
      throw new EvolutionError(`answers.${answer}: '${way}' is not deployed; ${suggestion(way, [...ways])}`);
    }
  }
  assertTargets(answers, lock, after);
}

/** Rejects an answer whose target is missing from the design, or is already deployed. */
function assertTargets({ split = {}, merged = {}, moved = {}, nested = {} }: Answers, lock: Lock, after: Lock): void {
  const entities = ({ tables }: Lock) =>
    Object.values(tables).flatMap(({ design }) => Object.keys(design?.entities ?? {}));
  const [old, now] = [entities(lock), entities(after)];
  const fresh = (all: readonly string[], deployed: readonly string[]) => all.filter((name) => !deployed.includes(name));
  const refuse = (answer: string, given: string, all: readonly string[], what: string, deployed?: string): never => {
    throw new EvolutionError(
      deployed !== undefined && all.includes(given)
        ? `answers.${answer}: '${given}' is already deployed; ${deployed}`
        : `answers.${answer}: '${given}' is not ${what} of the design; ${suggestion(given, all)}`,
    );
  };
  for (const part of Object.values(split).flat()) {
    if (!fresh(now, old).includes(part))
      refuse('split', part, now, 'an entity', 'only a new entity can be split from another');
  }
  for (const target of Object.values(merged)) if (!now.includes(target)) refuse('merged', target, now, 'an entity');
  const tables = Object.keys(after.tables);
  for (const [from, target] of Object.entries(moved)) {
    const others = tables.filter((table) => !from.startsWith(`${table}.`));
    if (!others.includes(target)) refuse('moved', target, others, 'another table');
  }
  const shapes = Object.values(after.tables).flatMap(({ design }) =>
    Object.values(design?.entities ?? {}).map(({ attributes }) => attributes.shape ?? {}),
  );
  for (const target of Object.values(nested)) {
    const maps = shapes.flatMap((shape) => Object.keys(shape));
    if (!maps.some((name) => target === name || target.startsWith(`${name}.`)))
      refuse('nested', target, maps, 'an attribute');
  }
}
