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
    if (name !== 'renamed' && name !== 'because') {
      throw new EvolutionError(`${place}.${name}: an answer is 'renamed' or 'because', such as ${EXAMPLE}`);
    }
    if (!isObject(value) || !Object.values(value).every((text) => typeof text === 'string' && text.trim() !== '')) {
      throw new EvolutionError(
        `${place}.${name} must be an object of strings, such as ${EXAMPLE}, got: ${show(value)}`,
      );
    }
  }
  return given;
}

const EXAMPLE = `{ renamed: { 'blog.Post.nome': 'name' }, because: { 'tables.blog.entities.Draft': 'never used' } }`;

/** The new name of what was at a place of the lock; the same where none was given. Short ways are taken too: `nome`. */
export function newNameOf({ renamed = {} }: Answers, ...place: readonly string[]): string {
  const last = place.at(-1) as string;
  for (let i = 0; i < place.length; i++) {
    const way = place.slice(i).join('.');
    if (Object.hasOwn(renamed, way)) return renamed[way] as string;
  }
  return last;
}

/** The reason for what is at a path, given for it or for all that it is in. */
export function reasonFor({ because = {} }: Answers, path: string): string | undefined {
  for (const [place, reason] of Object.entries(because)) {
    if (path === place || path.startsWith(`${place}.`)) return reason;
  }
  return undefined;
}

/** Refuses a rename of what is not deployed, which would otherwise be none in silence. */
export function assertAnswers({ renamed = {} }: Answers, lock: Lock): void {
  const names = Object.entries(lock.tables).flatMap(([table, { design }]) => [
    [table],
    ...Object.entries(design?.entities ?? {}).flatMap(([entity, { attributes }]) => [
      [table, entity],
      ...Object.keys(attributes.shape ?? {}).map((attribute) => [table, entity, attribute]),
    ]),
  ]);
  const ways = new Set(names.flatMap((name) => name.map((_, i) => name.slice(i).join('.'))));
  for (const way of Object.keys(renamed)) {
    if (ways.has(way)) continue;
    const near = suggestion(way, [...ways]);
    throw new EvolutionError(`answers.renamed: '${way}' is not deployed; ${near}`);
  }
}
