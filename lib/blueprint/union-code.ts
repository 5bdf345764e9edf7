import type { UpdatePattern } from '../design/pattern';
import type { EntityDesign } from '../design/table';
import type { EntityOutline } from './outline';
import type { Narrowed } from './updates';

/** The code for entities whose attributes are a discriminated union, which few designs have. */
export interface Unions {
  /** The design of an entity with its union as an object. */
  entity(name: string, design: EntityDesign): EntityDesign;
  /** An entity as an update finds and leaves it. */
  narrow(step: UpdatePattern, entity: EntityOutline): Narrowed;
  /** An entity as the member of its union that an item is. */
  as(item: Readonly<Record<string, unknown>>, entity: EntityOutline): EntityOutline;
}
