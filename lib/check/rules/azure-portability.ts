import type { Access } from '../../blueprint/accesses';
import { attributeNames } from '../../blueprint/attributes/facts';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { keyOf } from '../../blueprint/table';
import type { Found, Rule } from '../finding';
import type { TableUnderCheck } from '../subject';

export const azurePortability: Rule = {
  id: 'azure-portability',
  severity: 'warning',
  why: 'Azure Tables have no index, no TTL, no descending order, and transactions within one partition only.',
  *check(table) {
    if (table.cloud !== 'azure' && table.portability !== 'azure') return;
    const severity = table.cloud === 'azure' ? 'error' : 'warning';
    for (const found of [...names(table), ...keys(table), ...features(table), ...transactions(table)]) {
      yield { severity, ...found };
    }
  },
};

function* names({ design, cloud }: TableUnderCheck): Iterable<Found> {
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(design.name)) {
    yield { path: 'name', message: `'${design.name}' is no legal name of an Azure table`, fix: `use ${words}` };
  }
  if (cloud !== 'azure') return;
  const { partition, sort } = AZURE_TABLES.key;
  if (design.key.partition !== partition || design.key.sort !== sort) {
    const message = `the keys of an Azure table are ${partition} and ${sort}`;
    yield { path: 'key', message, fix: `write key: { partition: '${partition}', sort: '${sort}' }` };
  }
}

function* keys({ design, plan, cloud }: TableUnderCheck): Iterable<Found> {
  for (const { name, design: entity, keys } of plan.entities) {
    // The keys of a DynamoDB table are written in another way, which has a place for every character.
    for (const [attribute, { template }] of cloud === 'azure' ? keys : []) {
      const literal = template.parts.filter((part) => typeof part === 'string').join('');
      const illegal = AZURE_TABLES.illegalInKeys.exec(literal)?.[0];
      if (illegal !== undefined) {
        yield {
          path: `entities.${name}.keys.${attribute}`,
          message: `'${template.text}' holds '${illegal}', which an Azure key may not`,
          fix: `use another character, such as '_'`,
        };
      }
    }
    for (const attribute of attributeNames(entity.attributes)) {
      // A key that the entity has under its own name is no property beside it.
      if (keys.has(attribute) || isLegalProperty(attribute)) continue;
      yield {
        path: `entities.${name}.attributes.${attribute}`,
        message: `'${attribute}' is no legal name of an Azure property`,
        fix: 'use letters, digits and _, not beginning with a digit, at most 255, and no name that Azure has taken',
      };
    }
    const count = attributeNames(entity.attributes).length + (design.typeAttribute === undefined ? 0 : 1);
    if (count > AZURE_TABLES.properties) {
      yield {
        path: `entities.${name}.attributes`,
        message: `${count} properties, and an Azure entity has at most ${AZURE_TABLES.properties}`,
        fix: 'gather some in a map, which is stored as one property',
      };
    }
  }
}

function isLegalProperty(name: string): boolean {
  return AZURE_TABLES.propertyName.test(name) && !(AZURE_TABLES.reservedNames as readonly string[]).includes(name);
}

function* features({ design, plan, cloud }: TableUnderCheck): Iterable<Found> {
  if (design.ttl !== undefined) {
    yield { path: 'ttl', message: 'Azure Tables never expire an entity', fix: 'delete what is old on a schedule' };
  }
  for (const { name } of cloud === 'azure' ? plan.indexes : []) {
    yield {
      path: `indexes.${name}`,
      message: 'Azure Tables have no index',
      fix: 'keep a look-up table beside this one',
    };
  }
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    if (pattern.op === 'query' && pattern.order === 'descending') {
      yield {
        path: `patterns.${name}.order`,
        message: 'Azure Tables read in ascending order only',
        fix: 'store a key that falls as time rises, or read a partition and turn it round',
      };
    }
  }
}

function* transactions({ plan }: TableUnderCheck): Iterable<Found> {
  for (const { name, design: pattern, accesses } of plan.patterns) {
    if (pattern.op !== 'transaction') continue;
    const partitions = new Set(accesses.map((access) => shape(access, Object.keys(pattern.steps))));
    if (partitions.size > 1) {
      yield {
        path: `patterns.${name}.steps`,
        message: `it writes to ${partitions.size} partitions (${keyOf(plan.key)[0]?.name}), and an Azure batch to one`,
        fix: 'write in an order that can be repaired, or keep it in one partition',
      };
    }
    const count = Object.keys(pattern.steps).length;
    if (count > AZURE_TABLES.batchItems) {
      const fix = `at most ${AZURE_TABLES.batchItems} are allowed`;
      yield { path: `patterns.${name}.steps`, message: `${count} entities in one batch`, fix };
    }
  }
}

/** A partition without the names of the steps it refers to: `USER#<trip.userId>` is that of a put of the trip. */
function shape({ action, partition }: Access, steps: readonly string[]): string | undefined {
  if (action === 'put') return partition?.text;
  return partition?.text.replaceAll(/<([^.>]*)\./g, (start, step) => (steps.includes(step) ? '<' : start));
}
