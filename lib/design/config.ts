/**
 * The files that the command reads by default, and the default values of its options. The configuration is in
 * `tablewright.config.ts` or in the `tablewright` field of package.json. Paths are relative to the file that contains
 * them.
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
  /**
   * The environment that the command uses if the command line does not name one.
   * @default - prod, or dev for `prove`
   */
  readonly environment?: string;
  /**
   * The load of each pattern, keyed by the pattern's name, or the path of a JSON file with these loads. `costs`
   * computes what the load costs, and `check` uses it to find hot partitions.
   * @default - `costs` shows only the fixed cost of an environment, and `check` guesses which partitions are hot
   */
  readonly load?: string | Loads;
}

/** The load of each pattern, keyed by the pattern's name. */
export interface Loads {
  readonly [pattern: string]: Load;
}

/** How often callers run a pattern, and how much data each call reads or writes. */
export interface Load {
  /** Calls per second, averaged over a month. */
  readonly perSecond: number;
  /** Calls per second at the busiest time. @default - the average */
  readonly peak?: number;
  /**
   * For a query, a scan or a pattern with a list: the number of items that one call reads or writes.
   * @default - `pageSize` (or 10 if there is none) for a query or a scan, and 1 for a pattern with a list
   */
  readonly items?: number;
  /**
   * The size of an item in bytes, including names and keys.
   * @default - the size of a sample item that the schema accepts
   */
  readonly bytes?: number;
}

/** Returns the configuration unchanged, but lets the compiler check it and the editor suggest fields. */
export function defineConfig(config: Config): Config {
  return config;
}
