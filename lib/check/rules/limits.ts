import { keyAttributes, type TableBlueprint } from '../../blueprint/table';
import { DYNAMODB, KEY_BYTES } from '../../design/limits';
import { attributeAt } from '../../design/schema';
import type { Found, Rule } from '../finding';
import type { TableUnderCheck } from '../subject';

export const limits: Rule = {
  id: 'limits',
  severity: 'error',
  why: 'CDK and CloudFormation pass these on, and the deployment fails, or the table cannot be used.',
  *check(table) {
    yield* names(table);
    yield* counts(table);
    yield* keys(table);
    yield* duplicates(table);
    yield* ttl(table);
    yield* separator(table);
  },
};

function* names({ design }: TableUnderCheck): Iterable<Found> {
  const { form, words } = DYNAMODB.name;
  const fix = `use ${words}`;
  if (!form.test(design.name)) yield { path: 'name', message: `'${design.name}' is no legal table name`, fix };
  for (const index of Object.keys(design.indexes ?? {})) {
    if (!form.test(index)) yield { path: `indexes.${index}`, message: `'${index}' is no legal index name`, fix };
  }
}

function* counts({ design }: TableUnderCheck): Iterable<Found> {
  const indexes = Object.entries(design.indexes ?? {});
  if (indexes.length > DYNAMODB.indexes) {
    yield {
      path: 'indexes',
      message: `${indexes.length} indexes, and a table has at most ${DYNAMODB.indexes}`,
      fix: 'let entities share indexes: one pair of key attributes can serve many kinds',
    };
  }
  const most = DYNAMODB.projectedAttributesOfIndex;
  for (const [name, { projection }] of indexes) {
    if (typeof projection === 'object' && (projection.length === 0 || projection.length > most)) {
      yield {
        path: `indexes.${name}.projection`,
        message: `${projection.length} projected attributes, and an index names 1 to ${most}`,
        fix: `project 'all', 'keys', or 1 to ${most} attributes`,
      };
    }
  }
  const projected = indexes.flatMap(([, { projection }]) => (typeof projection === 'object' ? projection : []));
  if (projected.length > DYNAMODB.projectedAttributes) {
    yield {
      path: 'indexes',
      message: `${projected.length} projected attributes over all indexes, and at most ${DYNAMODB.projectedAttributes} are allowed`,
      fix: `project 'all', or fewer attributes`,
    };
  }
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    const [what, parts, most] =
      pattern.op === 'transaction'
        ? (['steps', pattern.steps, DYNAMODB.transactionItems] as const)
        : pattern.op === 'batchGet'
          ? (['keys', pattern.keys, DYNAMODB.batchGetItems] as const)
          : (['', {}, 0] as const);
    const count = Object.keys(parts).length;
    if (count > most) {
      yield {
        path: `patterns.${name}.${what}`,
        message: `${count} items in one request`,
        fix: `at most ${most} are allowed`,
      };
    }
  }
}

function* keys({ design, plan }: TableUnderCheck): Iterable<Found> {
  const places = [{ path: 'key', key: plan.key }, ...plan.indexes.map((key) => ({ path: `indexes.${key.name}`, key }))];
  for (const { path, key } of places) {
    if (key.partition.name === key.sort?.name) {
      yield {
        path: `${path}.sort`,
        message: `'${key.sort.name}' is both partition and sort key`,
        fix: 'name another attribute, or leave the sort key out',
      };
    }
    for (const role of ['partition', 'sort'] as const) {
      const name = key[role]?.name;
      if (name !== undefined && (name === '' || Buffer.byteLength(name) > DYNAMODB.attributeNameBytes)) {
        const fix = `use 1 to ${DYNAMODB.attributeNameBytes} bytes`;
        yield { path: `${path}.${role}`, message: `'${name}' is no legal attribute name`, fix };
      }
    }
  }
  for (const { name } of keyAttributes(plan)) {
    yield* literals(name, plan);
    if (name === design.typeAttribute) {
      yield { path: 'typeAttribute', message: `'${name}' is a key attribute too`, fix: 'name another attribute' };
    }
  }
}

/** A name that the table writes itself cannot be an attribute with a value of its own. */
function* duplicates({ design }: TableUnderCheck): Iterable<Found> {
  for (const [name, entity] of Object.entries(design.entities)) {
    const taken = [
      ...Object.keys(entity.keys ?? {}),
      ...(design.typeAttribute === undefined ? [] : [design.typeAttribute]),
    ];
    for (const attribute of taken.filter((attribute) => attributeAt(entity.attributes, [attribute]) !== undefined)) {
      yield {
        path: `entities.${name}.attributes.${attribute}`,
        message: `'${attribute}' is written by the table itself, as a key or as the type`,
        fix: 'rename the attribute, or leave its template out to make it a natural key',
      };
    }
  }
}

/** An attribute that is a sort key anywhere has to fit into one. */
function* literals(attribute: string, plan: TableBlueprint): Iterable<Found> {
  const role = [plan.key, ...plan.indexes].some(({ sort }) => sort?.name === attribute) ? 'sort' : 'partition';
  const most = KEY_BYTES[role];
  for (const { name, keys } of plan.entities) {
    const text = keys.get(attribute)?.template.parts.filter((part) => typeof part === 'string') ?? [];
    const bytes = Buffer.byteLength(text.join(''));
    if (bytes > most) {
      yield {
        path: `entities.${name}.keys.${attribute}`,
        message: `its literal text alone takes ${bytes} bytes, and a ${role} key holds at most ${most}`,
        fix: 'shorten the template',
      };
    }
  }
}

function* ttl({ design, plan }: TableUnderCheck): Iterable<Found> {
  const { ttl } = design;
  if (ttl === undefined) return;
  if (keyAttributes(plan).some(({ name }) => name === ttl)) {
    yield { path: 'ttl', message: `'${ttl}' is a key attribute`, fix: 'keep the expiry in an attribute of its own' };
    return;
  }
  const holders = plan.entities.map(({ name, design: entity }) => ({
    name,
    facts: attributeAt(entity.attributes, [ttl]),
  }));
  if (holders.every(({ facts }) => facts === undefined)) {
    yield { path: 'ttl', message: `no entity has the attribute '${ttl}'`, fix: `give an entity ${ttl}: z.int()` };
  }
  for (const { name, facts } of holders) {
    if (facts !== undefined && facts.kind !== 'number') {
      yield {
        path: `entities.${name}.attributes.${ttl}`,
        message: `the expiry is a ${facts.kind}, and DynamoDB ignores all but numbers`,
        fix: `write ${ttl}: z.int(), in seconds since 1970`,
      };
    }
  }
}

function* separator({ plan }: TableUnderCheck): Iterable<Found> {
  if (!/^[^\p{L}\p{N}<>?.\s-]$/u.test(plan.separator)) {
    yield {
      path: 'separator',
      message: `'${plan.separator}' cannot keep the parts of a key apart`,
      fix: `use one character that no identifier, number or date holds, such as '#' or '|'`,
    };
  }
}
