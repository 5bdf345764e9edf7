import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { naming } from '../../blueprint/stored';
import { type EntityBlueprint, entityNamed, keyOf, keysIn, knownParts, membershipIn } from '../../blueprint/table';
import { hasParts, isBucket, isPieceOfTime, partsOf } from '../../blueprint/template-parts';
import { guardsOf } from '../../blueprint/unique';
import { touchedBy } from '../../blueprint/updates';
import { hasWord, wordsOf } from '../../blueprint/words';
import { writtenBy } from '../../blueprint/written';
import type { Write } from '../../design/pattern';
import { shortList, withArticle } from '../../design/show';
import { type Part, template } from '../../design/template';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atAccess, atEntity, atKey, atTable } from '../findings/place';
import { oncePerTable, type TableUnderCheck } from '../table-under-check';

const causes = {
  'measure-apart': 'only a measure, such as a score, distinguishes the items in a partition',
  'never-unflagged': 'a pattern puts items into a sparse index, and no pattern removes them',
  'any-text': 'key parts accept any text, including the separator or an empty string',
  'any-case': 'a key contains an e-mail address or a user name exactly as the user typed it',
  'not-unique': 'a pattern reads one item by a value that several items may share',
  'across-tables': 'a procedure writes to several tables, and no single transaction covers all writes',
  'may-be-expired': 'a pattern may return items that have already expired',
} as const;

type Cause = keyof typeof causes;

export const likelyOversight: TableRule<'likely-oversight', Cause> = {
  id: 'likely-oversight',
  severity: 'note',
  why: "A design does not show its author's intent, so these findings are guesses, based on names and common mistakes. Read them once, and acknowledge the findings about choices that you made on purpose.",
  causes,
  *check(table) {
    for (const entity of table.entities.filter(({ guards }) => guards === undefined)) {
      for (const found of [...measureApart(table, entity), ...anyCase(table, entity), ...neverUnflagged(table, entity)])
        yield { ...GUESS, ...found };
    }
    for (const found of [...anyText(table), ...notUnique(table), ...mayBeExpired(table)]) yield { ...GUESS, ...found };
  },
};

const MEASURES: ReadonlySet<string> = new Set(
  'score scores points rank rating total amount price balance votes likes views count duration size weight'.split(' '),
);

/**
 * Reports keys in which only a measure distinguishes items: two players with the same score would have the same key.
 */
function* measureApart(table: TableUnderCheck, entity: EntityBlueprint): Iterable<Found<Cause>> {
  const source = entity.keys.get((table.key.sort ?? table.key.partition).name);
  const [only, ...more] = source === undefined ? [] : knownParts(source);
  if (source === undefined || only === undefined || more.length > 0 || only.facts?.kind !== 'number') return;
  const { name, path } = only.part;
  if (only.facts.integer === true && !hasWord(path.at(-1) as string, MEASURES)) return;
  yield {
    ...atKey(source, { part: name }),
    cause: 'measure-apart',
    message: `only <${name}> distinguishes two ${entity.name} items in a partition, so a second ${entity.name} with the same <${name}> is refused or overwrites the first`,
    fix: `add the ${entity.name}'s id to '${source.template.text}', after <${name}>`,
  };
}

const TYPED: ReadonlySet<string> = new Set('email username handle login screenname nickname'.split(' '));

function isTyped(name: string, facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'email' || (facts?.kind === 'string' && facts.values === undefined && hasWord(name, TYPED));
}

/**
 * Reports keys that contain text exactly as a user typed it, because `Ana@example.com` and `ana@example.com` would be
 * two keys.
 */
function* anyCase(table: TableUnderCheck, { name: entity, keys }: EntityBlueprint): Iterable<Found<Cause>> {
  for (const source of keys.values()) {
    for (const { part, facts } of knownParts(source)) {
      const own = part.path.at(-1) as string;
      if (
        part.format !== undefined ||
        facts?.lacks === 'upper' ||
        !isTyped(own, facts) ||
        (isId(part) && facts?.format !== 'email')
      )
        continue;
      // If a regular expression allows only lowercase letters, no value has capitals.
      if (facts?.patterns?.some(([text, flags]) => /a-z/.test(text) && !/A-Z|\\w|@/.test(text) && !flags.includes('i')))
        continue;
      if (settled(table, entity, part.name)) continue;
      yield {
        ...atKey(source, { part: part.name }),
        cause: 'any-case',
        message: `the key contains <${part.name}> exactly as typed, so a lowercase search misses a value that was stored with capital letters`,
        fix: source.natural
          ? `end the schema of '${part.name}' with .toLowerCase()`
          : `write <${part.name}:lower> in the key and in the patterns, or end the schema of '${part.name}' with .toLowerCase()`,
      };
      return;
    }
  }
}

/**
 * Whether one of the entity's unique values includes an attribute. If so, the author has already thought about the
 * attribute's values.
 */
function settled(table: TableUnderCheck, entity: string, attribute: string): boolean {
  return guardsOf(table, entityNamed(table, entity)).some(({ guards }) => guards.values.includes(attribute));
}

/** Reports an optional attribute that puts items into an index and that no pattern removes. */
function* neverUnflagged(table: TableUnderCheck, entity: EntityBlueprint): Iterable<Found<Cause>> {
  const writes = writesOf(table).get(entity.name) ?? [];
  const updates = writes.filter((step) => step.op === 'update');
  if (updates.length === 0) return;
  const optional = (name: string) => attributeAt(entity.design.attributes, [name])?.optional === true;
  for (const index of table.indexes) {
    const sources = keysIn(entity, index);
    if (sources === undefined || membershipIn(entity, index).length > 0) continue;
    const flags = sources.flatMap(({ template }) => partsOf(template).map(({ name }) => name)).filter(optional);
    const sets = updates.filter((step) => flags.some((flag) => Object.hasOwn(step.set ?? {}, flag)));
    const isTaken = updates.some((step) =>
      touchedBy(step).some(
        ({ field, attribute }) => flags.includes(attribute) && (field === 'remove' || step.set?.[attribute] === null),
      ),
    );
    const isDeleted = writes.some(({ op }) => op === 'delete');
    const [flag] = flags;
    if (flag === undefined || sets.length === 0 || isTaken || isDeleted) continue;
    yield {
      ...atEntity(entity.name, 'attributes', flag, { index: index.name }),
      cause: 'never-unflagged',
      message: `'${flag}' puts ${withArticle(entity.name)} into ${index.name}, and no pattern removes '${flag}', so the index keeps growing`,
      fix: `if items should leave ${index.name}, add an update with remove: ['${flag}']`,
    };
  }
}

/** Reports all parts whose schema accepts any text, except ids, in a single note. */
function* anyText(table: TableUnderCheck): Iterable<Found<Cause>> {
  const open = table.sources
    .filter(({ natural }) => !natural)
    .flatMap((source) => {
      const unbounded = knownParts(source).filter(({ part, facts }) => part.format === undefined && isOpen(facts));
      return unbounded
        .filter(({ part }) => !isId(part) && !isComputedFromBounded(table, entityNamed(table, source.entity), part))
        .map(({ part, facts }) => ({ source, name: part.name, canBeEmpty: (facts?.minimum ?? 0) === 0 }));
    });
  const [first] = open;
  if (first === undefined) return;
  const names = [...new Set(open.map(({ name }) => `<${name}>`))];
  const message = `${names.length === 1 ? 'the schema allows' : 'the schemas allow'} any text in ${shortList(names, 8)}, but a value that contains '${table.separator}'${open.some(({ canBeEmpty }) => canBeEmpty) ? ' or is empty' : ''} is refused`;
  const fix = `restrict the ${names.length === 1 ? 'schema' : 'schemas'}, for example with z.string().regex(/^[a-z0-9-]+$/), z.uuid() or z.enum([…])`;
  yield { ...atKey(first.source, { part: first.name }), cause: 'any-text', message, fix };
}

/** Whether the library computes an attribute only from values with a restricted schema, such as a date. */
function isComputedFromBounded(table: TableUnderCheck, entity: EntityBlueprint | undefined, { name }: Part): boolean {
  const made = entity && writtenBy(entity.design, table.separator)?.computed.find((one) => one.name === name);
  if (entity === undefined || made === undefined) return false;
  const facts = ({ path }: Part) => attributeAt(entity.design.attributes, path);
  const literals = [...made.texts.map((text) => template(text)), template(made.separator ?? '')].flatMap(({ pieces }) =>
    pieces.filter((piece) => typeof piece === 'string'),
  );
  return (
    !literals.some((literal) => literal.includes(table.separator)) &&
    made.parts.every((part) => isPieceOfTime(part.format) || isBucket(part.format) || !isOpen(facts(part)))
  );
}

/**
 * Whether a string's schema restricts at most the length. Excludes strings that are long enough for prose, because
 * `unkeyable` reports them.
 */
function isOpen(facts: AttributeFacts | undefined): boolean {
  const { kind, values, format, patterns, prefix, maximum = 0 } = facts ?? {};
  return kind === 'string' && maximum < 100 && [values, format, patterns, prefix].every((form) => form === undefined);
}

function isId({ path }: Part): boolean {
  return wordsOf(path.at(-1) as string).includes('id');
}

/** The writes to each entity, cached because a table may have thousands of entities and writes. */
const writesOf = oncePerTable(({ accesses }): ReadonlyMap<string, readonly Write[]> => {
  const writes = new Map<string, Write[]>();
  for (const { step } of accesses) {
    if (!('entity' in step)) continue;
    const same = writes.get(step.entity);
    if (same === undefined) writes.set(step.entity, [step]);
    else same.push(step);
  }
  return writes;
});

/** Reports a read of one item by an index key that two items may share. */
function* notUnique(table: TableUnderCheck): Iterable<Found<Cause>> {
  for (const access of table.accesses) {
    const { design, index, key, partition, range, entities } = access;
    if (design.op !== 'query' || index === undefined || entities.length !== 1 || partition === undefined) continue;
    const entity = entityNamed(table, entities[0] as string);
    const parts = entity && keysIn(entity, key)?.flatMap(({ template }) => partsOf(template));
    const [part, ...more] = parts ?? [];
    const facts = part && entity && attributeAt(entity.design.attributes, part.path);
    const isOne = design.pageSize === 1 && design.order === undefined && design.orderBy === undefined;
    const isValue = more.length === 0 && key.sortBy.length === 0 && part && isTyped(part.path.at(-1) as string, facts);
    if (part === undefined || (!isOne && !isValue) || !hasParts(partition[0].at)) continue;
    const primary = new Set(
      keysIn(entity as EntityBlueprint, table.key)?.flatMap(({ template }) =>
        partsOf(template).map(({ name }) => name),
      ),
    );
    const asked = [...partition.map(({ attribute }) => attribute), ...(range.kind === 'equals' ? key.sortBy : [])];
    const held = asked.flatMap(({ name }) => partsOf((entity as EntityBlueprint).keys.get(name)?.template ?? NONE));
    // The primary key is unique, and so are attributes declared unique.
    if (held.some(({ name }) => settled(table, (entity as EntityBlueprint).name, name))) continue;
    if ([...primary].every((name) => held.some((one) => one.name === name))) continue;
    const names = held.map(({ name }) => `'${name}'`).join(', ');
    yield {
      ...atAccess(access, 'index', undefined, { index }),
      cause: 'not-unique',
      message: `the pattern reads one ${entity?.name} by ${names}, but an index does not prevent a second item with the same value`,
      fix: `declare '${part.name}' unique in ${entity?.name}: unique: { ${part.name}: { keys: { ${keyOf(table.key)
        .map(({ name }, i) => `${name}: '${part.name.toUpperCase()}${i === 0 ? `#<${part.name}>` : ''}'`)
        .join(', ')} } } }`,
    };
  }
}

const NONE = { parts: [], pieces: [], text: '', faults: [] };

/** Reports reads that may return expired items, because DynamoDB may take a few days to delete an expired item. */
function* mayBeExpired(table: TableUnderCheck): Iterable<Found<Cause>> {
  const { ttl, cloud } = table;
  if (ttl === undefined || cloud !== 'aws') return;
  const attributeOf = (name: string) => naming.attributeOf(entityNamed(table, name)?.design.stored, ttl);
  const expires = (name: string) => entityNamed(table, name)?.attributes.includes(attributeOf(name)) === true;
  const reads = table.accesses.filter(
    ({ design, entities }) =>
      ['get', 'query', 'scan', 'batchGet'].includes(design.op) &&
      entities.some(expires) &&
      !('unexpired' in design && design.unexpired) &&
      !JSON.stringify('filter' in design ? (design.filter ?? {}) : {}).includes(`"${attributeOf(entities[0] ?? '')}"`),
  );
  if (reads.length === 0) return;
  const names = [...new Set(reads.map(({ pattern }) => pattern))];
  yield {
    ...atTable(table, 'ttl', { attribute: ttl }),
    cause: 'may-be-expired',
    message: `${shortList(names, 6)} may return expired items, because DynamoDB may take a few days after the time in '${ttl}' to delete an item`,
    fix: 'write unexpired: true in these patterns, unless expired items are acceptable',
  };
}
