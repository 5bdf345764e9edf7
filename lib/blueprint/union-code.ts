import type { UpdatePattern } from '../design/pattern';
import type { EntityDesign } from '../design/table';
import type { EntityOutline } from './outline';
import type { Narrowed } from './updates';

/** Support for entities whose attributes are a discriminated union, which few designs need. */
export interface Unions {
  /** Returns an entity's design with the discriminated union replaced by an object. */
  entity(name: string, design: EntityDesign): EntityDesign;
  /** Narrows an entity to the union members that an item may match before and after an update. */
  narrow(step: UpdatePattern, entity: EntityOutline): Narrowed;
  /** Narrows an entity to the union member that an item belongs to. */
  as(item: Readonly<Record<string, unknown>>, entity: EntityOutline): EntityOutline;
}
