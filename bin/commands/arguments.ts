import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './command';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What was given: options by name, and the rest in order. */
export type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>;

/** Reads a verb's arguments; what it does not know is a UsageError. */
export function readArguments<const O extends Options>(args: readonly string[], options: O): Arguments<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** One of the words an option takes, the first by default. */
export function readChoice<C extends string>(
  option: string,
  given: string | undefined,
  known: readonly [C, ...C[]],
): C {
  const choice = known.find((name) => name === (given ?? known[0]));
  if (choice === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}, got: '${given}'`);
  return choice;
}
