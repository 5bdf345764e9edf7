/**
 * What the command works on where it is given no names: `tablewright.config.ts`, or the field `tablewright` of package.json.
 * Paths are relative to the file that names them.
 */
export interface Config {
  /** Files that export designs: tables, or systems. */
  readonly designs: string | readonly string[];
  /**
   * Files that export what `defineCases` returns.
   * @default - nothing can be proved
   */
  readonly cases?: string | readonly string[];
  /**
   * The folder that `cdk synth` writes to.
   * @default - `tables` looks into cdk.out; `prove` makes the tables of the design itself
   */
  readonly assembly?: string;
  /** The folder that the Azure app writes to. @default 'cdktf.out' */
  readonly terraform?: string;
  /** The environment that is meant where none is named. @default - prod; for `prove`, dev */
  readonly environment?: string;
}

/** Types the configuration of the command. */
export function defineConfig(config: Config): Config {
  return config;
}
