import type { DeletePattern, KeyCondition, PatternDesign, ReleaseStep, Write } from '../../lib/design/pattern';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { match, template } from '../../lib/design/template';
import { tableArn } from './authorizations';
import type { Authorization } from './iam';

/**
 * A partition that a pattern reaches. It is read directly from the design, so that the policies are not judged by the
 * same code that builds them.
 */
export interface Reach {
  readonly action: string;
  readonly table: string;
  readonly index?: string;
  /** The partition key's template. */
  readonly partition: string;
  readonly separator: string;
}

/** Returns the partitions that a system's pattern or procedure reaches. */
export function reachOf(system: SystemDesign, name: string): readonly Reach[] {
  const names = [name, ...(system.procedures?.[name]?.uses ?? [])];
  return Object.entries(system.tables).flatMap(([table, design]) =>
    names.flatMap((one) => {
      const pattern = design.patterns?.[one];
      return pattern === undefined ? [] : partsOf(table, design, pattern);
    }),
  );
}

function partsOf(table: string, design: TableDesign, pattern: PatternDesign): readonly Reach[] {
  const { key, indexes = {}, separator = '#' } = design;
  const reach = (action: string, partition: KeyCondition | undefined) => ({
    action: `dynamodb:${action}`,
    table,
    partition: partition as string,
    separator,
  });
  const partitionOf = (entity: string) => design.entities[entity]?.keys?.[key.partition] ?? `<${key.partition}>`;
  const guards = (action: string, entity: string, isMeant: (parts: readonly string[], isShared: boolean) => boolean) =>
    Object.values(design.entities[entity]?.unique ?? {}).flatMap(({ keys, owner }) =>
      isMeant(partsIn(Object.values(keys)), owner !== undefined) ? [reach(action, keys[key.partition])] : [],
    );
  /**
   * The guards that a write frees. The write must specify the values in their keys. A guard that several items of one
   * owner share is freed only by a release.
   */
  const freed = (entity: string, { where, condition = {} }: Pick<DeletePattern, 'where' | 'condition'>) => {
    const known = [...partsIn(Object.values(where)), ...Object.keys(condition)];
    return guards('DeleteItem', entity, (parts, isShared) => !isShared && parts.every((name) => known.includes(name)));
  };
  const step = (one: Write | ReleaseStep): readonly Reach[] => {
    const { entity } = one;
    switch (one.op) {
      case 'put':
        return [reach('PutItem', partitionOf(entity)), ...guards('PutItem', entity, () => true)];
      case 'release':
        return [reach('DeleteItem', design.entities[entity]?.unique?.[one.unique]?.keys[key.partition])];
      case 'update': {
        const changed = Object.keys({ ...one.set, ...one.add, ...one.subtract });
        const taken = guards('PutItem', entity, (parts) => parts.some((name) => changed.includes(name)));
        return [
          reach('UpdateItem', one.where[key.partition]),
          ...taken,
          ...(taken.length > 0 ? freed(entity, one) : []),
        ];
      }
      case 'delete':
        return [reach('DeleteItem', one.where[key.partition]), ...freed(entity, one)];
      default:
        return [reach('ConditionCheckItem', one.where[key.partition])];
    }
  };
  switch (pattern.op) {
    case 'get':
      return [reach('GetItem', pattern.where[key.partition])];
    case 'transactGet':
      return Object.values(pattern.keys).map((where) => reach('GetItem', where[key.partition]));
    case 'batchGet':
      return Object.values(pattern.keys).map((where) => reach('BatchGetItem', where[key.partition]));
    case 'query': {
      const { index } = pattern;
      if (index === undefined) return [reach('Query', pattern.where[key.partition])];
      return [{ ...reach('Query', pattern.where[indexes[index]?.partition as string]), index }];
    }
    case 'find': {
      const { keys = {}, unique = {} } = design.entities[pattern.returns[0] as string] ?? {};
      return [unique[pattern.unique]?.keys ?? {}, keys].map((own) => reach('GetItem', own[key.partition]));
    }
    case 'scan':
      return [{ ...reach('Scan', undefined), ...(pattern.index === undefined ? {} : { index: pattern.index }) }];
    case 'batchWrite':
      return Object.values(pattern.steps)
        .flatMap(step)
        .map((one) => ({ ...one, action: 'dynamodb:BatchWriteItem' }));
    case 'transaction':
      return Object.values(pattern.steps).flatMap(step);
    default:
      return step(pattern);
  }
}

/** The names of all parts in the given templates. */
function partsIn(texts: readonly unknown[]): readonly string[] {
  return texts.flatMap((text) => (typeof text === 'string' ? template(text).parts.map(({ name }) => name) : []));
}

/** Whether a request stays within the reached partitions, and has the same action and the same table or index. */
export function isReached(system: string, reached: readonly Reach[], { action, resource, context }: Authorization) {
  const here = reached.filter(
    ({ table, index, ...reach }) =>
      reach.action === action &&
      resource === tableArn(`${system}-prod-${table}${index === undefined ? '' : `/index/${index}`}`),
  );
  const keys = context['dynamodb:LeadingKeys'] as readonly string[];
  return here.length > 0 && keys.length > 0 && keys.every((key) => here.some((reach) => canBe(reach, key)));
}

/** Whether a key can be in a partition. A natural key can have any value. */
function canBe({ partition, separator }: Reach, key: string): boolean {
  return /^<[^<>]*>$/.test(partition) || match(template(partition), key, separator) !== undefined;
}

/** Describes the reached partitions, for example as `Query blog/GSI1 CATEGORY#<subcategoryId>`. */
export function describeReach(reached: readonly Reach[]): string {
  const parts = reached.map(({ action, table, index, partition }) =>
    [action.replace('dynamodb:', ''), index === undefined ? table : `${table}/${index}`, partition].join(' '),
  );
  return [...new Set(parts)].join(', ');
}
