import type { EntityDesign } from '../design/table';

/** The code for entities whose attributes are a discriminated union, which few designs have. */
export interface Unions {
  /** The design of an entity with its union as an object. */
  entity(name: string, design: EntityDesign): EntityDesign;
}
