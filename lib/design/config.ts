/**
 * What the command works on without arguments, from `tablewright.config.ts` or the field `tablewright` in package.json.
 * Paths are relative to the file that names them.
 */
export interface Config {
  /** Files that export designs of tables or systems. */
  readonly designs: string | readonly string[];
  /**
   * Files that export what `defineCases` returns.
   * @default - `prove` has nothing to run
   */
  readonly cases?: string | readonly string[];
  /**
   * The folder that `cdk synth` writes to.
   * @default - `tables` looks in cdk.out; `prove` creates the tables from the design
   */
  readonly assembly?: string;
  /** The folder that the Azure app writes to. @default 'cdktf.out' */
  readonly terraform?: string;
  /** The environment to use when none is named. @default - prod; for `prove`, dev */
  readonly environment?: string;
  /**
   * How often patterns are called, by their names, or a JSON file with these numbers; `costs` computes their cost from
   * it, and `check` the load of partitions.
   * @default - `costs` shows only what an environment costs before the first request, and `check` guesses at hot partitions
   */
  readonly load?: string | Loads;
}

/** The load of patterns, by their names. */
export interface Loads {
  readonly [pattern: string]: Load;
}

/** How a pattern is called. */
export interface Load {
  /** Calls per second, on average over a month. */
  readonly perSecond: number;
  /** Calls per second at the busiest time. @default - as on average */
  readonly peak?: number;
  /**
   * Items that a call reads or writes, for a query, a scan or a list.
   * @default - pageSize, or 10; 1 for each element of a list
   */
  readonly items?: number;
  /** Bytes of an item, names and keys included. @default - the size of a sample that the schema accepts */
  readonly bytes?: number;
}

/** Types the configuration of the command. */
export function defineConfig(config: Config): Config {
  return config;
}
