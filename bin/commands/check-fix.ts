import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type CheckOptions, check, type Finding } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { editorIn, type TextEdit, withChanges } from '../../lib/source/edit';
import { type Shown, type Terminal, UsageError } from './command';
import type { Design, Source } from './designs';

/** Shows the edits that fix findings, and edits the source files once the user agrees; returns 1 if an error remains. */
export async function fixAll(
  sources: readonly Source[],
  options: CheckOptions,
  yes: boolean,
  terminal: Terminal,
): Promise<number> {
  const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const texts = new Map<string, string>();
  const edits: TextEdit[] = [];
  let left = 0;
  let fixed = 0;
  for (const { file, designs } of sources) {
    for (const { design, finding } of designs.flatMap((design) => findingsIn(design, options))) {
      const placed =
        file === undefined ? 'bundled systems cannot be edited' : place(file, designs, design, finding, texts, edits);
      if (typeof placed !== 'string') {
        edits.push(...placed);
        fixed += 1;
        continue;
      }
      if (finding.severity === 'error') left += 1;
      terminal.line(`${design.name}: ${finding.path}: not fixed: ${placed}   [${finding.rule}]`);
    }
  }
  for (const line of diffOf(texts, edits)) terminal.line(...line);
  const all = `${counted(fixed, 'finding')} in ${counted(new Set(edits.map(({ file }) => file)).size, 'file')}`;
  if (fixed === 0) terminal.line('nothing to fix');
  else if (yes || (isWatched && (await agreed(`fix ${all}?`)))) {
    write(texts, edits);
    terminal.line(`fixed ${all}; run npx tablewright check again`);
  } else if (isWatched) terminal.line('nothing is changed');
  else throw new UsageError('--fix asks before it edits a file; if nobody is at the terminal, add --yes');
  terminal.report({ fixed, files: [...new Set(edits.map(({ file }) => relative('.', file)))] });
  return left > 0 ? 1 : 0;
}

function findingsIn(design: Design, options: CheckOptions) {
  return check(design, options).map((finding) => ({ design, finding }));
}

/** Returns the edits that fix a finding, or the reason why one of the edits cannot be applied to the source. */
function place(
  file: string,
  designs: readonly Design[],
  design: Design,
  { edits = [], fix }: Finding,
  texts: Map<string, string>,
  others: readonly TextEdit[],
): readonly TextEdit[] | string {
  if (edits.length === 0) return `someone must decide how to fix this: ${fix}`;
  const edit = editorIn(resolve(file), designs, (name) => textOf(name, texts));
  const placed = edits.map((one) => edit(design, one));
  const problem = placed.find((one) => typeof one === 'string');
  if (problem !== undefined) return `${problem}; ${fix}`;
  const own = placed as readonly TextEdit[];
  const isTaken = own.some((one) =>
    others.some((other) => one.file === other.file && one.from <= other.to && other.from <= one.to),
  );
  return isTaken ? 'another fix changes the same code; apply that fix, then run check --fix again' : own;
}

/** Returns a file's text. Reads each file only once, so that all edits apply to the same text. */
function textOf(file: string, texts: Map<string, string>): string | undefined {
  const known = texts.get(file);
  if (known !== undefined) return known;
  try {
    const text = readFileSync(file, 'utf8');
    texts.set(file, text);
    return text;
  } catch {
    return undefined;
  }
}

/** Yields the changed lines in groups, each under its file and line number. */
function* diffOf(texts: ReadonlyMap<string, string>, edits: readonly TextEdit[]): Iterable<readonly Shown[]> {
  for (const [file, text] of texts) {
    const own = edits.filter((edit) => edit.file === file).sort((a, b) => a.from - b.from);
    while (own.length > 0) {
      const first = own[0] as TextEdit;
      const start = text.lastIndexOf('\n', first.from - 1) + 1;
      const group: TextEdit[] = [];
      let end = start;
      // Groups edits that touch the same line.
      while (own[0] !== undefined && (group.length === 0 || own[0].from <= end)) {
        const edit = own.shift() as TextEdit;
        group.push(edit);
        const next = text.indexOf('\n', Math.max(edit.from, edit.to - (text[edit.to - 1] === '\n' ? 1 : 0)));
        end = Math.max(end, next < 0 ? text.length : next);
      }
      const before = text.slice(start, end);
      const shifted = group.map((edit) => ({ ...edit, from: edit.from - start, to: Math.min(edit.to, end) - start }));
      const after = withChanges(before, shifted);
      yield [{ style: 'bold', text: `${relative('.', file)}:${text.slice(0, start).split('\n').length}` }];
      for (const line of before.split('\n')) yield [{ style: 'red', text: `- ${line}` }];
      for (const line of after === '' ? [] : after.split('\n')) yield [{ style: 'green', text: `+ ${line}` }];
    }
  }
}

async function agreed(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}

/** Writes all files, or none if any of them has changed since it was read. */
function write(texts: ReadonlyMap<string, string>, edits: readonly TextEdit[]): void {
  const files = [...new Set(edits.map(({ file }) => file))];
  const changed = files.find((file) => readFileSync(file, 'utf8') !== texts.get(file));
  if (changed !== undefined)
    throw new UsageError(
      `${relative('.', changed)} has changed in the meantime, so no file was written; run check --fix again`,
    );
  for (const file of files) {
    const own = edits.filter((edit) => edit.file === file);
    writeFileSync(file, withChanges(texts.get(file) as string, own));
  }
}
