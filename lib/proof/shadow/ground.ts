import type { SystemDesign } from '../../design/system';
import type { Migration } from '../../evolve';
import type { EvolvingProps } from '../../evolve/clients/under-way';
import type { Store } from '../../evolve/migration/run/store';
import type { Item } from '../../items/item';
import type { Call } from './reach';

/** An item as a cloud stores it. */
export interface Held {
  readonly item: Item;
  /** The item in the cloud's own form. */
  readonly raw: object;
}

/** What a plan is carried out on: an engine of a cloud, with the tables deployed so far. */
export interface Ground<Template = never> {
  /** Deploys a template over what is deployed; throws if the cloud would refuse it. */
  deploy(template: Template): Promise<void>;
  /** Lets time pass until nothing is under way in the cloud. */
  settle(): void;
  isThere(table: string): boolean;
  /** What is wrong with a table itself, apart from its items, if anything. */
  faultOf(table: string, design: SystemDesign): string | undefined;
  items(table: string): Promise<readonly Held[]>;
  /** An item as a release stores it. */
  held(table: string, item: Item): Held;
  /** Makes a table hold these items and no others. */
  restore(table: string, wanted: readonly Held[]): Promise<void>;
  store(migration: Migration, tables: readonly string[]): Store;
  /** The patterns of a release, for a design alone or for a step of a plan. */
  calls(system: SystemDesign, step?: EvolvingProps): Readonly<Record<string, Call>>;
  /** Removes every table that was made here. */
  end(): Promise<void>;
}
