import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { locatorIn } from '../../lib/source/locate';

type Level = 'error' | 'warning' | 'notice';

/** Returns a workflow command that annotates a line of a pull request, or the whole run if no line is known. */
export type Annotate = (level: Level, design: string, path: string, title: string, text: string) => string;

/**
 * Returns a function that annotates the fields of the designs in a file. If a field is not found in the source, the
 * function annotates the top of the file.
 */
export function annotatorOf(file: string | undefined): Annotate {
  const locate = file === undefined ? undefined : locatorIn(resolve(file), textOf);
  return (level, design, path, title, text) => {
    const { file: found = resolve(file ?? ''), line = 1, column = 1 } = locate?.(design, path) ?? {};
    const place = locate === undefined ? '' : `file=${property(relative('.', found))},line=${line},col=${column},`;
    return `::${level} ${place}title=${property(title)}::${escaped(text)}`;
  };
}

/**
 * Finds a field's file and line, as `--json` prints them; returns only the file if the field is not found in the
 * source.
 */
export function placesIn(file: string | undefined): (design: string, path: string) => { file?: string; line?: number } {
  if (file === undefined) return () => ({});
  const locate = locatorIn(resolve(file), textOf);
  return (design, path) => {
    const found = locate(design, path);
    return found === undefined
      ? { file: relative('.', resolve(file)) }
      : { file: relative('.', found.file), line: found.line };
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Escapes a property of a workflow command, including the characters that would end the property. */
function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Escapes a string for a workflow command. */
export function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
