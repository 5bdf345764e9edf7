import { hasKeys, hasSteps } from '../../blueprint/accesses';
import type { KeySource } from '../../blueprint/table';
import type { PatternAccess } from '../table-under-check';
import type { Place, Subject } from './finding';

/** Additional facts about the subject at a place. */
export type About = Omit<Subject, 'kind' | 'name' | 'table' | 'step' | 'key' | 'field'>;

/** A field of the table itself, such as `ttl` or `key.sort`. */
export function atTable({ name }: { readonly name: string }, field: string, about?: About): Place {
  return { path: field, subject: subjectWith({ kind: 'table', name, field }, about) };
}

export function atIndex(name: string, field?: 'partition' | 'sort' | 'projection', about?: About): Place {
  return placed(`indexes.${name}`, { kind: 'index', name }, field, about);
}

/**
 * A field of an entity, such as `attributes.title`, `keys.PK` or `indexes.GSI1`. `keyOnly` and `type` take no
 * `attribute`.
 */
export function atEntity(
  name: string,
  field:
    | 'attributes'
    | 'keys'
    | 'keyOnly'
    | 'stored'
    | 'type'
    | 'indexes'
    | 'owner'
    | 'version'
    | 'timestamps'
    | 'computed',
  attribute?: string,
  about?: About,
): Place {
  return placed(`entities.${name}`, { kind: 'entity', name }, field, about, attribute);
}

/** The place of a key: its template, or the attribute that is the natural key. */
export function atKey({ entity, natural, attribute, holds }: KeySource, about?: About): Place {
  return natural ? atEntity(entity, 'attributes', holds, about) : atEntity(entity, 'keys', attribute, about);
}

/** The name of a pattern or of one of its steps, for findings about a pattern's definition rather than its accesses. */
export interface Request {
  readonly name: string;
  readonly step?: string;
}

export function atPattern({ name, step }: Request, field?: string, attribute?: string, about?: About): Place {
  const path = `patterns.${name}`;
  return step === undefined
    ? placed(path, { kind: 'pattern', name }, field, about, attribute)
    : placed(`${path}.steps.${step}`, { kind: 'pattern', name, step }, field, about, attribute);
}

/** A field of a request, except its key; or an attribute in that field. */
export function atAccess(access: PatternAccess, field?: string, attribute?: string, about?: About): Place {
  return atPattern(requestOf(access), field, attribute, about);
}

/** The key in a request, or one attribute of this key. */
export function atWhere(access: PatternAccess, attribute?: string, about?: About): Place {
  const { pattern: name, design, part: key } = access;
  if (!hasKeys(design)) return atAccess(access, 'where', attribute, about);
  const subject = subjectWith({ kind: 'pattern', name, key, field: 'keys' }, { attribute, ...about });
  const path = `patterns.${name}.keys.${key}`;
  return { path: attribute === undefined ? path : `${path}.${attribute}`, subject };
}

function requestOf({ pattern: name, design, part }: PatternAccess): Request {
  return hasSteps(design) ? { name, step: part } : { name };
}

function placed(at: string, subject: Subject, field?: string, about?: About, attribute?: string): Place {
  const path = [at, field, attribute].filter((step) => step !== undefined).join('.');
  return { path, subject: subjectWith(subject, { field, attribute, ...about }) };
}

/** Adds fields to a subject, but leaves out undefined ones. */
function subjectWith(subject: Subject, more: Partial<Subject> = {}): Subject {
  const known = Object.entries(more).filter(([, value]) => value !== undefined);
  return { ...subject, ...Object.fromEntries(known) };
}
