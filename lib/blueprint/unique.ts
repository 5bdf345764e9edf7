import type { AttributesSchema } from '../design/attributes';
import type { UpdatePattern, Write } from '../design/pattern';
import { type EntityDesign, namesInKey, type TableDesign } from '../design/table';
import { template } from '../design/template';
import { access, type Guarding, keysOf } from './accesses';
import { type Schema, schemaAt, shapeOf } from './attributes/schema';
import { type EntityOutline, entityNamed, ownOf } from './outline';
import { naming } from './stored';

/** The attribute in a guard that identifies the owner of the value. */
export const GUARD_OWNER = 'uniqueOwner';

/** A unique value of an entity, which a guard protects. */
export interface Guarded {
  readonly entity: string;
  readonly unique: string;
  /** The attributes in the guard's key. */
  readonly values: readonly string[];
  /** The attributes that identify the owner of the value. */
  readonly owners: readonly string[];
  /** Whether several items of the same owner may have the same value. */
  readonly isShared: boolean;
}

/** Returns the name of the guard for a unique value, such as `User.unique.email`. */
export function guardNameOf(entity: string, unique: string): string {
  return `${entity}.unique.${unique}`;
}

/** Derives a design's guards: one entity for each unique value that an entity declares. */
export function guardDesigns(
  design: TableDesign,
): readonly { readonly name: string; readonly design: EntityDesign; readonly guards: Guarded }[] {
  return Object.entries(design.entities).flatMap(([entity, given]) => {
    const { attributes, keys: own = {}, stored, unique = {} } = naming.entity(entity, given);
    const schema = attributes as unknown as Schema;
    const partsOf = (text: string | undefined) => (text === undefined ? [] : template(text).parts);
    return Object.entries(unique).map(([name, { keys, owner }]) => {
      const parts = Object.values(keys).flatMap(partsOf);
      const primary = namesInKey(design.key).flatMap((key) => {
        const text = ownOf(own, key);
        return text === undefined ? [naming.attributeOf(stored, key)] : partsOf(text).map((part) => part.name);
      });
      const owners = [...new Set(owner ?? primary)];
      const shape: Record<string, Schema> = {};
      for (const { path } of parts) addTo(shape, schema, path.slice(0, 1), path[0] as string);
      const ownerShape: Record<string, Schema> = {};
      for (const attribute of owners) addTo(ownerShape, schema, attribute.split('.'), attribute);
      shape[GUARD_OWNER] = objectLike(schema, ownerShape);
      const guards = {
        entity,
        unique: name,
        values: [...new Set(parts.map((part) => part.name))],
        owners,
        isShared: primary.some((attribute) => !owners.includes(attribute)),
      };
      const picked = objectLike(schema, shape) as unknown as AttributesSchema;
      return { name: guardNameOf(entity, name), design: { attributes: picked, keys }, guards };
    });
  });
}

function addTo(shape: Record<string, Schema>, schema: Schema, path: readonly string[], name: string): void {
  const own = Object.hasOwn(shapeOf(schema), path[0] as string) ? schemaAt(schema, path) : undefined;
  if (own) shape[name] = own;
}

/**
 * Creates an object schema with the given attributes. Calls the given schema's constructor, so that this code does not
 * load zod.
 */
function objectLike(schema: Schema, shape: Readonly<Record<string, Schema>>): Schema {
  const { constr } = schema._zod as unknown as { readonly constr: new (def: object) => Schema };
  return new constr({ type: 'object', shape });
}

/** Returns the guards of an entity; empty for most entities. */
export function guardsOf<E extends Pick<EntityOutline, 'name' | 'uniques' | 'guards'>>(
  table: { readonly entities: readonly E[] },
  entity: E | undefined,
): readonly (E & { readonly guards: Guarded })[] {
  if (entity?.uniques === undefined) return [];
  return entity.uniques.flatMap((unique) => {
    const guard = entityNamed(table, guardNameOf(entity.name, unique));
    return guard?.guards === undefined ? [] : [guard as E & { readonly guards: Guarded }];
  });
}

/**
 * Returns what a write does to one of its entity's guards: `put` claims the item's new value, and `delete` frees the
 * old value.
 */
export function guardOpsOf({ isShared, values }: Guarded, step: Write): readonly ('put' | 'delete')[] {
  if (step.op === 'put') return ['put'];
  const freed = isShared ? [] : (['delete'] as const);
  if (step.op === 'delete') return freed;
  return step.op === 'update' && changesAny(step, values) ? ['put', ...freed] : [];
}

/** Whether an update changes one of the given attributes. */
export function changesAny({ set, add, subtract, remove = [] }: UpdatePattern, names: readonly string[]): boolean {
  const changed = [...[set, add, subtract].flatMap((field) => Object.keys(field ?? {})), ...remove];
  return changed.some((path) => names.some((name) => (path.split(/[.[]/)[0] as string) === name.split('.')[0]));
}

/** Derives how patterns access the guards of a design's unique values. */
export const guarding: Guarding = {
  /** A find reads the guard of the value, and then the item that the guard refers to. */
  find(table, step) {
    const { unique, returns } = step;
    const [item = ''] = returns;
    const guard = guardNameOf(item, unique);
    return [
      access('get', table.key, keysOf(table, guard), { step, entities: [guard], unique }),
      access('get', table.key, keysOf(table, item), { step, entities: returns }),
    ];
  },
  release(table, released, part) {
    const { entity, unique } = released;
    const guard = guardNameOf(entity, unique);
    const where = keysOf(table, guard);
    const step: Write = { op: 'delete', entity: guard, where };
    return [access('delete', table.key, where, { part, step, entities: [guard], unique, released })];
  },
  beside(table, step, part) {
    const guards = guardsOf(table, entityNamed(table, step.entity));
    return guards.flatMap(({ name, guards: guarded }) =>
      guardOpsOf(guarded, step).map((op) => {
        const { unique } = guarded;
        const where = keysOf(table, name);
        const write: Write = op === 'put' ? { op, entity: name } : { op, entity: name, where };
        const named = part === undefined ? unique : `${part}.${unique}`;
        return access(op, table.key, where, { part: named, step: write, entities: [name], unique });
      }),
    );
  },
};
