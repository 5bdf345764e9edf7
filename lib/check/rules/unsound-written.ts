import { hasSteps } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { pathsOf, saidIn, sourcesOf, type WrittenAttributes, writtenBy, writtenNames } from '../../blueprint/written';
import { type DeclaredFault, declaredFaults } from '../../blueprint/written-declared';
import { type WrittenFault, writtenFaults } from '../../blueprint/written-faults';
import type { Write } from '../../design/pattern';
import type { Fault, TableRule } from '../findings/finding';
import { atAccess, atEntity } from '../findings/place';

const causes = {
  undeclared: 'an attribute that the library writes is not in the schema',
  'wrong-type': 'the schema rejects values that the library writes: whole numbers from 1, a time, or a string',
  twice: 'the same attribute is declared in two of these roles: version, timestamp, computed attribute',
  'in-key': 'the version or the time of the last change is part of the primary key, which an update cannot change',
  part: 'a source of a computed attribute does not exist, is inside a map, is the version, or is itself computed',
  'may-lack': 'a required attribute is computed from an optional attribute',
  unreadable: 'a computed attribute has no source',
  azure: 'a table on Azure has a version, but items on Azure have ETags instead',
  'by-hand': 'a pattern sets an attribute that only the library may write',
  'not-known': 'an update changes one source of a computed attribute, but does not know the others',
  unversioned: 'a batch puts items with a version, but a batch cannot test a version',
} as const satisfies Readonly<Record<DeclaredFault['cause'] | WrittenFault['cause'] | 'azure', string>>;

type Cause = keyof typeof causes;

export const unsoundWritten: TableRule<'unsound-written', Cause> = {
  id: 'unsound-written',
  severity: 'error',
  why: 'The library writes versions, timestamps and computed attributes with every put and update. The schema must accept these values, no pattern may set them, and every write must know the sources of a computed attribute.',
  causes,
  *check(table) {
    const unsound = new Set<string>();
    for (const entity of table.entities) {
      const { name, design } = entity;
      if (table.cloud === 'azure' && design.version !== undefined) {
        unsound.add(name);
        yield {
          ...atEntity(name, 'version'),
          cause: 'azure',
          message: 'Azure Tables cannot increment a stored version, but every item has an ETag instead',
          fix: "remove 'version', and write unchanged: true in updates that must detect conflicts",
        };
      }
      for (const fault of declaredFaults(table, entity)) {
        unsound.add(name);
        const attribute = fault.field === 'computed' ? fault.attribute : undefined;
        const place = atEntity(name, fault.field, attribute, { attribute: fault.attribute });
        yield { ...place, ...declaredInWords(entity, fault) };
      }
    }
    for (const access of table.accesses) {
      const { step, design } = access;
      const entity = 'entity' in step ? entityNamed(table, step.entity) : undefined;
      if (entity === undefined || unsound.has(entity.name)) continue;
      const isBatch = hasSteps(design) && design.op === 'batchWrite';
      for (const fault of together(writtenFaults(table, entity, saidIn(step as Write), isBatch))) {
        const attribute = fault.field === 'remove' ? undefined : fault.field && fault.attribute;
        const place = atAccess(access, fault.field, attribute);
        const edits = fault.cause === 'by-hand' && attribute !== undefined ? [{ path: place.path }] : undefined;
        yield { ...place, ...writeInWords(entity, saidIn(step as Write), fault), ...(edits && { edits }) };
      }
    }
  },
};

/**
 * Combines faults that have the same fix. For example, several attributes may be computed from the same sources, which
 * the request does not know.
 */
function together(faults: readonly WrittenFault[]): readonly WrittenFault[] {
  const byParts = new Map<string, WrittenFault>();
  for (const fault of faults) {
    const { cause, parts, attribute } = fault;
    const same = JSON.stringify(cause === 'not-known' ? parts : [fault.field, attribute]);
    const before = byParts.get(same);
    byParts.set(same, before ? { ...before, attribute: `${before.attribute} and ${attribute}` } : fault);
  }
  return [...byParts.values()];
}

function declaredInWords(
  { name: entity, attributes, design, keys }: EntityBlueprint,
  { cause, field, attribute, part }: DeclaredFault,
): Fault<Cause> {
  const taken = [
    ...writtenNames(writtenBy(design, '') as WrittenAttributes),
    ...[...keys.values()].flatMap(({ template }) => partsOf(template).map((part) => part.name)),
  ];
  const source = attributes.find(
    (name) => !taken.includes(name) && attributeAt(design.attributes, [name])?.kind === 'string',
  );
  const line = `${attribute}: '<${source ?? 'name'}:lower>'`;
  const typed = { version: 'z.int()', timestamps: 'z.iso.datetime()', computed: 'z.string()' }[field];
  switch (cause) {
    case 'undeclared':
      return {
        cause,
        message: `'${attribute}' is not an attribute of ${entity}`,
        fix: `add ${attribute}: ${typed} to the attributes`,
      };
    case 'wrong-type': {
      const what = { version: 'the versions 1, 2, 3, …', timestamps: 'the timestamps of writes', computed: 'strings' }[
        field
      ];
      const message = `the schema of '${attribute}' rejects ${part === undefined ? what : `values of '${part}'`}`;
      const fix =
        part === undefined ? `write ${attribute}: ${typed}` : `give '${attribute}' the same schema as '${part}'`;
      return { cause, message, fix };
    }
    case 'twice':
      return {
        cause,
        message: `'${attribute}' has two of the roles 'version', 'created', 'updated' and 'computed'`,
        fix: `use a separate attribute for each role`,
      };
    case 'in-key':
      return {
        cause,
        message: `every update changes '${attribute}', but it is part of the primary key of ${entity}`,
        fix: `remove '${attribute}' from the primary key`,
      };
    case 'part':
      return {
        cause,
        message: `<${part}> is not a top-level string, number or time of ${entity} that the caller sets`,
        fix: `compute '${attribute}' from attributes that the caller sets, such as ${line}`,
      };
    case 'may-lack':
      return {
        cause,
        message: `'${part}' of ${entity} is optional, but an item without '${part}' would have no '${attribute}'`,
        fix: `write ${attribute}: z.string().optional(), or make '${part}' required`,
      };
    case 'unreadable':
      return {
        cause,
        message: `'${attribute}' has no source, so it is the same for every ${entity}`,
        fix: `name a source attribute: ${line}`,
      };
  }
}

function writeInWords(
  { name: entity, design }: EntityBlueprint,
  step: Write,
  { cause, attribute, parts, field }: WrittenFault,
): Fault<Cause> {
  switch (cause) {
    case 'by-hand': {
      const message = `the pattern writes '${attribute}' of ${entity}, but only the library may write it`;
      const sources = sourcesOf(design, attribute).filter((name) => name !== attribute);
      const isAlone = step.op === 'update' && pathsOf(step).length === 1 && sources.length > 0;
      const instead = `, and set its sources: ${sources.map((name) => `${name}: '<${name}>'`).join(', ')}`;
      return { cause, message, fix: `remove '${attribute}' from '${field}'${isAlone ? instead : ''}` };
    }
    case 'not-known': {
      const pinned = parts.map((part) => `${part}: '<${part}>'`).join(', ');
      const isChanged = step.op === 'update' && pathsOf(step).some((path) => parts.includes(path));
      const orPin = isChanged ? '' : `, or test unchanged sources in condition: { ${pinned} }`;
      return {
        cause,
        message: `the write changes computed attributes (${attribute}) without knowing their sources: ${parts.join(', ')}`,
        fix: `set the sources to values from the caller: set: { ${pinned} }${orPin}`,
      };
    }
    case 'unversioned':
      return {
        cause,
        message: `a batch overwrites items without checking '${attribute}', so it would lose concurrent updates`,
        fix: `write a transaction: { op: 'transaction', atomic: false, steps: { … each: '…' } }`,
      };
  }
}
