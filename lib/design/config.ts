/**
 * The files and defaults that the command uses without arguments, from `tablewright.config.ts` or the field
 * `tablewright` in package.json. Paths are relative to the file that names them.
 */
export interface Config {
  /** Files that export designs of tables or systems. */
  readonly designs: string | readonly string[];
  /**
   * Files that export the return value of `defineCases`.
   * @default - `prove` has no cases to run
   */
  readonly cases?: string | readonly string[];
  /**
   * The output folder of `cdk synth`.
   * @default - `tables` looks in cdk.out, and `prove` creates the tables from the design
   */
  readonly assembly?: string;
  /** The output folder of the Azure app. @default 'cdktf.out' */
  readonly terraform?: string;
  /** The environment that the command uses if the caller names none. @default - prod, or dev for `prove` */
  readonly environment?: string;
  /**
   * How often callers run each pattern, by the pattern's name, or a JSON file with these numbers. `costs` computes the
   * cost of this load, and `check` its effect on partitions.
   * @default - `costs` shows only the fixed cost of an environment, and `check` guesses which partitions are hot
   */
  readonly load?: string | Loads;
}

/** The load of patterns, by their names. */
export interface Loads {
  readonly [pattern: string]: Load;
}

/** How often and with how much data callers run a pattern. */
export interface Load {
  /** Calls per second, averaged over a month. */
  readonly perSecond: number;
  /** Calls per second at the busiest time. @default - the average */
  readonly peak?: number;
  /**
   * The number of items that one call reads or writes, for a query, a scan or a list.
   * @default - pageSize or else 10, and 1 for each element of a list
   */
  readonly items?: number;
  /**
   * The size of an item in bytes, including names and keys. @default - the size of a sample item that the schema
   * accepts
   */
  readonly bytes?: number;
}

/** Gives a configuration of the command its type. */
export function defineConfig(config: Config): Config {
  return config;
}
