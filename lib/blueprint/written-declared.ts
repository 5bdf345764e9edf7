import { lonePart, template } from '../design/template';
import { samplesOf } from './attributes/samples';
import { bare, defOf, kindOf, mayLack, type Schema, schemaAt, shapeOf, takes } from './attributes/schema';
import { type EntityOutline, keyOf, type TableOutline } from './outline';
import { timeIn } from './times';
import { writtenBy, writtenNames } from './written';

/** Why the library cannot write an attribute. A fault is plain data; its message is in the check. */
export interface DeclaredFault {
  readonly cause: 'undeclared' | 'wrong-type' | 'twice' | 'in-key' | 'part' | 'may-lack' | 'unreadable';
  readonly field: 'version' | 'timestamps' | 'computed';
  readonly attribute: string;
  /** The faulty part of a template. */
  readonly part?: string;
}

const SOME_TIME = Date.UTC(2026, 0, 31, 12);

/** Lists the faults in an entity's `version`, `timestamps` and `computed`. These faults do not depend on any write. */
export function declaredFaults(table: TableOutline, entity: EntityOutline): readonly DeclaredFault[] {
  const { schema, design, keys } = entity;
  const written = writtenBy(design, table.separator);
  if (written === undefined) return [];
  const { version, created, updated, computed } = written;
  const names = writtenNames(written);
  const twice = new Set<string>();
  const shape = shapeOf(schema);
  const isInKey = (name: string) =>
    keyOf(table.key).some((key) => keys.get(key.name)?.template.parts.some((part) => part.path[0] === name));
  const faultOf = (field: DeclaredFault['field'], attribute: string, accepts: () => boolean) => {
    const fault = (cause: DeclaredFault['cause']) => [{ cause, field, attribute }];
    if (!Object.hasOwn(shape, attribute)) return fault('undeclared');
    if (names.indexOf(attribute) < names.lastIndexOf(attribute)) {
      const isFirst = !twice.has(attribute);
      twice.add(attribute);
      return isFirst ? fault('twice') : [];
    }
    if ((attribute === version || attribute === updated) && isInKey(attribute)) return fault('in-key');
    return accepts() ? [] : fault('wrong-type');
  };
  const at = (name: string) => schemaAt(schema, [name]) ?? undefined;
  const takesTime = (name: string) => {
    const own = at(name);
    return own !== undefined && takes(own, timeIn(own, design.timestamps?.unit)(SOME_TIME));
  };
  const takesVersion = (name: string) => {
    const own = at(name);
    return own !== undefined && kindOf(own) === 'number' && [1, 2, 1000].every((value) => takes(own, value));
  };
  return [
    ...(version === undefined ? [] : faultOf('version', version, () => takesVersion(version))),
    ...[created, updated].flatMap((name) =>
      name === undefined ? [] : faultOf('timestamps', name, () => takesTime(name)),
    ),
    ...computed.flatMap(({ name, texts, parts, separator }): readonly DeclaredFault[] => {
      const own = at(name);
      // A separate rule reports templates that cannot be parsed.
      if (texts.some((text) => template(text).faults.length > 0)) return [];
      const about = { field: 'computed', attribute: name } as const;
      const isComputed = (part: string) => computed.some((other) => other.name === part);
      const copied = separator === undefined ? lonePart(template(texts[0] ?? '')) : undefined;
      const wrong = parts.find(
        ({ name: part }) => !Object.hasOwn(shape, part) || isComputed(part) || part === version || !isText(at(part)),
      );
      if (wrong !== undefined) return [{ ...about, cause: 'part', part: wrong.name }];
      const found = faultOf('computed', name, () => own !== undefined && takesComputed(own, copied && at(copied.name)));
      if (found.length > 0) return found.map((fault) => ({ ...fault, ...(copied && { part: copied.name }) }));
      if (parts.length === 0) return [{ ...about, cause: 'unreadable' }];
      const lacking = mayLack(schema, [name]) ? undefined : parts.find(({ path }) => mayLack(schema, path));
      return lacking === undefined ? [] : [{ ...about, cause: 'may-lack', part: lacking.name }];
    }),
  ];
}

/** Whether a schema's values can be part of a rendered string. */
function isText(schema: Schema | undefined): boolean {
  return !!schema && !['list', 'map', 'binary'].includes(kindOf(schema)) && defOf(bare(schema)).type !== 'set';
}

/**
 * Whether a schema accepts the computed value, which is either arbitrary text or a copy of a single attribute. A schema
 * that lists its values does not accept arbitrary text.
 */
function takesComputed(own: Schema, copied: Schema | undefined): boolean {
  if (copied === undefined) return kindOf(own) === 'string' && !['enum', 'literal'].includes(defOf(bare(own)).type);
  return kindOf(own) === kindOf(copied) && samplesOf(copied).every(({ stored }) => takes(own, stored));
}
