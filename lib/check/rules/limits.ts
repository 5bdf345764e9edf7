import { attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import { DYNAMODB } from '../../blueprint/clouds';
import { isSortKey, type KeyAttribute, type KeyBlueprint, keyOf, type TableBlueprint } from '../../blueprint/table';
import { KEY_BYTES } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { TableUnderCheck } from '../subject';

export const limits: Rule = {
  id: 'limits',
  severity: 'error',
  why: 'CDK and CloudFormation pass these on, and the deployment fails, or the table cannot be used.',
  check: (table) => [
    ...names(table),
    ...counts(table),
    ...keys(table),
    ...literals(table.plan),
    ...duplicates(table),
    ...(table.design.ttl === undefined ? [] : ttl(table, table.design.ttl)),
    ...(table.design.separator === undefined ? [] : separator(table.design.separator)),
  ],
};

function names({ design, cloud }: TableUnderCheck): readonly Found[] {
  const { form, words } = DYNAMODB.name;
  const fix = `use ${words}`;
  // Of names on Azure another rule speaks.
  const table =
    cloud === 'azure' || form.test(design.name)
      ? []
      : [{ path: 'name', message: `'${design.name}' is no legal table name`, fix }];
  const indexes = Object.keys(design.indexes ?? {})
    .filter((index) => !form.test(index))
    .map((index) => ({ path: `indexes.${index}`, message: `'${index}' is no legal index name`, fix }));
  return [...table, ...indexes];
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
  const projected = indexes.reduce(
    (sum, [, { projection }]) => sum + (Array.isArray(projection) ? projection.length : 0),
    0,
  );
  if (projected > DYNAMODB.projectedAttributes) {
    yield {
      path: 'indexes',
      message: `${projected} projected attributes over all indexes, and at most ${DYNAMODB.projectedAttributes} are allowed`,
      fix: `project 'all', or fewer attributes`,
    };
  }
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    if (pattern.op !== 'transaction' && pattern.op !== 'batchGet') continue;
    const [what, parts, most] =
      pattern.op === 'transaction'
        ? (['steps', pattern.steps, DYNAMODB.transactionItems] as const)
        : (['keys', pattern.keys, DYNAMODB.batchGetItems] as const);
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

function keys({ design, plan }: TableUnderCheck): readonly Found[] {
  const faulty = [plan.key, ...plan.indexes].filter((key) => key.sort === key.partition || keyOf(key).some(isMisnamed));
  const type = plan.keyAttributes.some(({ name }) => name === design.typeAttribute)
    ? [{ path: 'typeAttribute', message: `'${design.typeAttribute}' is a key attribute too`, fix: NAME_ANOTHER }]
    : [];
  return [...faulty.flatMap((key) => [...inKey(key)]), ...type];
}

const NAME_ANOTHER = 'name another attribute';

function isMisnamed({ name }: KeyAttribute): boolean {
  return name === '' || isLonger(name, DYNAMODB.attributeNameBytes);
}

function* inKey(key: KeyBlueprint & { readonly name?: string }): Iterable<Found> {
  const path = key.name === undefined ? 'key' : `indexes.${key.name}`;
  const { partition, sort } = key;
  if (partition === sort) {
    const message = `'${sort.name}' is both partition and sort key`;
    yield { path: `${path}.sort`, message, fix: `${NAME_ANOTHER}, or leave the sort key out` };
  }
  for (const attribute of keyOf(key).filter(isMisnamed)) {
    const fix = `use 1 to ${DYNAMODB.attributeNameBytes} bytes`;
    const role = attribute === partition ? 'partition' : 'sort';
    yield { path: `${path}.${role}`, message: `'${attribute.name}' is no legal attribute name`, fix };
  }
}

/** A name that the table writes itself cannot be an attribute with a value of its own. */
function duplicates({ design }: TableUnderCheck): readonly Found[] {
  const { typeAttribute = '' } = design;
  return Object.entries(design.entities).flatMap(([name, { keys = {}, attributes }]) =>
    attributeNames(attributes)
      .filter((attribute) => attribute === typeAttribute || Object.hasOwn(keys, attribute))
      .map((attribute) => ({
        path: `entities.${name}.attributes.${attribute}`,
        message: `'${attribute}' is written by the table itself, as a key or as the type`,
        fix: 'rename the attribute, or leave its template out to make it a natural key',
      })),
  );
}

/** A character takes at most three bytes for each of its units, so that few texts have to be counted. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** An attribute that is a sort key anywhere has to fit into one. */
function literals(plan: TableBlueprint): readonly Found[] {
  return plan.sources
    .filter(({ template }) => isLonger(template.text, KEY_BYTES.sort))
    .flatMap(({ attribute, path, template }) => {
      const role = isSortKey(plan, attribute) ? 'sort' : 'partition';
      const most = KEY_BYTES[role];
      const bytes = Buffer.byteLength(template.parts.filter((part) => typeof part === 'string').join(''));
      const message = `its literal text alone takes ${bytes} bytes, and a ${role} key holds at most ${most}`;
      return bytes > most ? [{ path, message, fix: 'shorten the template' }] : [];
    });
}

function* ttl({ plan }: TableUnderCheck, ttl: string): Iterable<Found> {
  if (plan.keyAttributes.some(({ name }) => name === ttl)) {
    yield { path: 'ttl', message: `'${ttl}' is a key attribute`, fix: 'keep the expiry in an attribute of its own' };
    return;
  }
  const holders = plan.entities.map(({ name, design: entity }) => ({
    name,
    facts: attributeAt(entity.attributes, [ttl]),
  }));
  for (const { name, facts } of holders) {
    if (facts !== undefined && facts.kind !== 'number') {
      yield {
        path: `entities.${name}.attributes.${ttl}`,
        message: `the expiry is ${facts.kind === 'other' ? 'no number' : `a ${facts.kind}`}, and DynamoDB ignores all but numbers`,
        fix: `write ${ttl}: z.int(), in seconds since 1970`,
      };
    }
  }
}

function separator(separator: string): readonly Found[] {
  if (/^[^\p{L}\p{N}<>?.\s-]$/u.test(separator)) return [];
  return [
    {
      path: 'separator',
      message: `'${separator}' cannot keep the parts of a key apart`,
      fix: `use one character that no identifier, number or date holds, such as '#' or '|'`,
    },
  ];
}
