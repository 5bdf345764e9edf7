import type { SystemDesign } from '../../design/system';
import type { Migration } from '../../evolve';
import type { EvolvingProps } from '../../evolve/clients/under-way';
import type { Store } from '../../evolve/migration/run/store';
import type { Item } from '../../items/item';
import type { Call } from './reach';

/** An item as a cloud stores it. */
export interface Held {
  readonly item: Item;
  /** The cloud's own form of it. */
  readonly raw: object;
}

/** What a plan is carried out on: an engine of a cloud, with the tables that are deployed at this moment. */
export interface Ground<Template = never> {
  /** Deploys what was synthesized over what is there; what the cloud would refuse is. */
  deploy(template: Template): Promise<void>;
  /** Lets so much time pass that what is under way in the cloud is finished. */
  settle(): void;
  isThere(table: string): boolean;
  /** Whether the cloud has a table as the design wants it, beside what is in it; or what is not so. */
  faultOf(table: string, design: SystemDesign): string | undefined;
  items(table: string): Promise<readonly Held[]>;
  /** An item as a release stores it. */
  held(table: string, item: Item): Held;
  /** Sees to it that a table holds these items and no others. */
  restore(table: string, wanted: readonly Held[]): Promise<void>;
  store(migration: Migration, tables: readonly string[]): Store;
  /** The patterns of a release: of a design alone, or of a step of a plan. */
  calls(system: SystemDesign, step?: EvolvingProps): Readonly<Record<string, Call>>;
  /** Removes every table that was made here. */
  end(): Promise<void>;
}
