import { suggestion } from '../../design/names';
import { isObject, show } from '../../design/show';
import type { Lock } from '../lock/lock';
import { EvolutionError } from '../lock/read';
import type { Answers } from './change';

/** Reads answers, from a file or from code; refuses anything else. */
export function readAnswers(given: unknown, place = 'answers'): Answers {
  if (given === undefined) return {};
  if (!isObject(given)) throw new EvolutionError(`${place} must be an object such as ${EXAMPLE}, got: ${show(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'renamed' && name !== 'because' && name !== 'split') {
      throw new EvolutionError(`${place}.${name}: an answer is 'renamed', 'split' or 'because', such as ${EXAMPLE}`);
    }
    const [what, isRight] = name === 'split' ? (['lists of names', isNames] as const) : (['strings', isText] as const);
    if (!isObject(value) || !Object.values(value).every(isRight)) {
      throw new EvolutionError(
        `${place}.${name} must be an object of ${what}, such as ${EXAMPLE}, got: ${show(value)}`,
      );
    }
  }
  return given;
}

const EXAMPLE = `{ renamed: { 'blog.Post.nome': 'name' }, split: { 'blog.Post': ['PostText'] }, because: { 'tables.blog.entities.Draft': 'never used' } }`;

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

/** The new name of what the lock has at a place, or its old one if it was not renamed; `nome` is short for `blog.Post.nome`. */
export function newNameOf({ renamed = {} }: Answers, ...place: readonly string[]): string {
  return answerAt(renamed, place) ?? (place.at(-1) as string);
}

/** The new entities that an entity of the lock is split into. */
export function partsOf({ split = {} }: Answers, table: string, entity: string): readonly string[] {
  return [...(answerAt(split, [table, entity]) ?? [])].sort();
}

function answerAt<T>(answers: Readonly<Record<string, T>>, place: readonly string[]): T | undefined {
  const name = waysTo(place).find((way) => Object.hasOwn(answers, way));
  return name === undefined ? undefined : answers[name];
}

/** The names that an answer may use for a place: the whole path, or any end of it. */
function waysTo(place: readonly string[]): readonly string[] {
  return place.map((_, i) => place.slice(i).join('.'));
}

/** The reason given for a path, or for a path that contains it. */
export function reasonFor({ because = {} }: Answers, path: string): string | undefined {
  const places = Object.keys(because).filter((place) => path === place || path.startsWith(`${place}.`));
  // Each of them is a beginning of the path, so the longest is the nearest.
  const nearest = places.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? undefined : because[nearest];
}

/** What to answer for something that is gone: a new name it may have been given, or why it goes. */
export function fixForGone(path: string, formerName: string, candidates: readonly string[]): string {
  const ways = candidates.map((candidate) => `renamed: { '${formerName}': '${candidate}' }`);
  const reason = `say why it goes: because: { '${path}': '…' }`;
  return ways.length === 0 ? reason : `answer with ${ways.join(' or ')}, or ${reason}`;
}

/** Refuses an answer about something that is not deployed or not designed: it would have no effect, silently. */
export function assertAnswers({ renamed = {}, split = {} }: Answers, lock: Lock, after: Lock): void {
  const names = Object.entries(lock.tables).flatMap(([table, { design }]) => [
    [table],
    ...Object.entries(design?.entities ?? {}).flatMap(([entity, { attributes }]) => [
      [table, entity],
      ...Object.keys(attributes.shape ?? {}).map((attribute) => [table, entity, attribute]),
    ]),
  ]);
  const ways = new Set(names.flatMap(waysTo));
  for (const [answer, given] of Object.entries({ renamed, split })) {
    for (const way of Object.keys(given)) {
      if (ways.has(way)) continue;
      throw new EvolutionError(`answers.${answer}: '${way}' is not deployed; ${suggestion(way, [...ways])}`);
    }
  }
  const entities = ({ tables }: Lock) =>
    Object.values(tables).flatMap(({ design }) => Object.keys(design?.entities ?? {}));
  const [old, now] = [entities(lock), entities(after)];
  const added = now.filter((entity) => !old.includes(entity));
  for (const part of Object.values(split).flat()) {
    if (added.includes(part)) continue;
    throw new EvolutionError(
      now.includes(part)
        ? `answers.split: '${part}' is deployed already; only a new entity can be made of another`
        : `answers.split: '${part}' is not an entity of the design; ${suggestion(part, added)}`,
    );
  }
}
