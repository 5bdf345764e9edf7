/**
 * What the command works on when it is given no names, from `tablewright.config.ts` or the field `tablewright` in package.json.
 * Paths are relative to the file that names them.
 */
export interface Config {
  /** Files that export designs of tables or systems. */
  readonly designs: string | readonly string[];
  /**
   * Files that export what `defineCases` returns.
   * @default - nothing can be proved
   */
  readonly cases?: string | readonly string[];
  /**
   * The folder that `cdk synth` writes to.
   * @default - `tables` looks in cdk.out; `prove` makes the tables from the design
   */
  readonly assembly?: string;
  /** The folder that the Azure app writes to. @default 'cdktf.out' */
  readonly terraform?: string;
  /** The environment to use when none is named. @default - prod; for `prove`, dev */
  readonly environment?: string;
}

/** Types the configuration of the command. */
export function defineConfig(config: Config): Config {
  return config;
}
