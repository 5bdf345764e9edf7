import { dataOf, type SchemaData } from '../blueprint/attributes/data';
import { outline } from '../blueprint/outline';
import type { AttributesSchema } from '../design/attributes';
import type { SystemDesign } from '../design/system';
import type { EntityDesign, TableDesign } from '../design/table';
import { digest } from '../evolve/canonical';
import { rebuild } from '../evolve/schema/rebuild';
import { FileProblem } from '../files/problem';
import type { Item } from '../items/item';

/** What an importer found in a source. The source writer generates code from it. */
export interface Description {
  readonly tables: readonly DescribedTable[];
  /** The properties of the system. @default - the tables form no system */
  readonly system?: Omit<SystemDesign, 'tables'>;
  readonly remarks: readonly Remark[];
  /** Stored items whose keys the design must reproduce. @default - no items, so the keys are not verified */
  readonly evidence?: readonly Evidence[];
}

/** A table design with its schemas in the form of data. */
export interface DescribedTable extends Omit<TableDesign, 'entities'> {
  readonly entities: Readonly<Record<string, DescribedEntity>>;
}

export interface DescribedEntity extends Omit<EntityDesign, 'attributes'> {
  readonly attributes: SchemaData;
}

/** A comment at a place in the design. */
export interface Remark {
  /** The path of the place, starting with the table's name: `['blog', 'entities', 'Post', 'keys', 'PK']`. */
  readonly path: readonly string[];
  readonly text: string;
  /** Whether the importer could not determine what belongs at this place. @default false */
  readonly unsure?: boolean;
}

/** An item that the source stored, or would store. */
export interface Evidence {
  readonly table: string;
  readonly entity: string;
  readonly item: Item;
  /** The values that the item was built from. @default - the values are read back from the item */
  readonly values?: Item;
  /** Whether the key templates were proposed without this item, so that the item's keys can test them. @default false */
  readonly isHeldOut?: boolean;
}

/** The error for a source that an importer cannot read; the message names the source. */
export function unreadable(message: string): FileProblem {
  return new FileProblem('', 'damaged', message);
}

/** Turns a description into a working design, for the check and the verification. */
export function designOf({ entities, ...table }: DescribedTable): TableDesign {
  const made = Object.entries(entities).map(([name, { attributes, ...entity }]) => [
    name,
    { ...entity, attributes: rebuild(attributes) as unknown as AttributesSchema },
  ]);
  return { ...table, entities: Object.fromEntries(made) };
}

/**
 * Turns a design into a description: converts its schemas to data, and keeps the attributes in their original order.
 */
export function describedTable(design: TableDesign): DescribedTable {
  const { entities } = outline(design);
  const described = Object.entries(design.entities).map(([name, { attributes: _, ...entity }]) => {
    const outlined = entities.find((one) => one.name === name);
    if (outlined === undefined) throw unreadable(`entity '${name}' in table '${design.name}' cannot be read`);
    const data = dataOf(outlined.schema, digest);
    const shape = Object.fromEntries(outlined.attributes.map((one) => [one, data.shape?.[one] as SchemaData]));
    return [name, { attributes: { ...data, shape }, ...entity }];
  });
  return { ...design, entities: Object.fromEntries(described) };
}
