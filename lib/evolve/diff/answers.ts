import { suggestion } from '../../design/names';
import { isObject, show } from '../../design/show';
import type { Lock } from '../lock/lock';
import { EvolutionError } from '../lock/read';
import type { Answers } from './change';

/** Answers as they were given, from a file or in code; anything else is refused. */
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

/** The new name of what was at a place of the lock; the same where none was given. Short ways are taken too: `nome`. */
export function newNameOf({ renamed = {} }: Answers, ...place: readonly string[]): string {
  return answerAt(renamed, place) ?? (place.at(-1) as string);
}

/** The new entities that are made of one of the lock. */
export function partsOf({ split = {} }: Answers, table: string, entity: string): readonly string[] {
  return [...(answerAt(split, [table, entity]) ?? [])].sort();
}

function answerAt<T>(answers: Readonly<Record<string, T>>, place: readonly string[]): T | undefined {
  const way = place.map((_, i) => place.slice(i).join('.')).find((one) => Object.hasOwn(answers, one));
  return way === undefined ? undefined : answers[way];
}

/** The reason for what is at a path, given for it or for all that it is in. */
export function reasonFor({ because = {} }: Answers, path: string): string | undefined {
  const places = Object.keys(because).filter((place) => path === place || path.startsWith(`${place}.`));
  // All of them begin the path, so that the longest is the nearest.
  const nearest = places.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? undefined : because[nearest];
}

/** Refuses an answer about what is not deployed or not designed, which would otherwise be none in silence. */
export function assertAnswers({ renamed = {}, split = {} }: Answers, lock: Lock, after: Lock): void {
  const names = Object.entries(lock.tables).flatMap(([table, { design }]) => [
    [table],
    ...Object.entries(design?.entities ?? {}).flatMap(([entity, { attributes }]) => [
      [table, entity],
      ...Object.keys(attributes.shape ?? {}).map((attribute) => [table, entity, attribute]),
    ]),
  ]);
  const ways = new Set(names.flatMap((name) => name.map((_, i) => name.slice(i).join('.'))));
  for (const [answer, given] of Object.entries({ renamed, split })) {
    for (const way of Object.keys(given)) {
      if (ways.has(way)) continue;
      throw new EvolutionError(`answers.${answer}: '${way}' is not deployed; ${suggestion(way, [...ways])}`);
    }
  }
  const entities = (of: Lock) => Object.values(of.tables).flatMap(({ design }) => Object.keys(design?.entities ?? {}));
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
