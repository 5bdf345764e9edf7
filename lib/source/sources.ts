import { dirname, join } from 'node:path';
import { type Expression, type Field, outlineOfSource, type SourceOutline } from './outline';

/** An expression, and the file that contains it. */
export interface Node {
  readonly file: string;
  readonly value: Expression;
}

/** A place in a file. Lines and columns are numbered from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The field at a path, or at the longest prefix of the path that exists. */
export interface Found extends Field {
  readonly file: string;
  /** The length of the found prefix of the path, in characters. */
  readonly length: number;
}

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** The modules that contain the source of a design. */
export class Sources {
  readonly #read: (file: string) => string | undefined;
  readonly #known = new Map<string, { readonly text: string; readonly outline: SourceOutline } | undefined>();

  public constructor(read: (file: string) => string | undefined) {
    this.#read = read;
  }

  public text(file: string): string {
    return this.#source(file)?.text ?? '';
  }

  public place({ file, at }: Pick<Found, 'file' | 'at'>): SourcePlace {
    const before = this.text(file).slice(0, at).split('\n');
    return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }

  /** Finds the field at a path in a design, or at the longest prefix of the path that exists. */
  public inDesign(file: string, design: string, path: string): Found | undefined {
    const root = this.root(file, design);
    if (root === undefined) return undefined;
    // A single table is treated as a system with one table.
    const before = `tables.${design}.`;
    const own = !root.value.fields.has('tables') && path.startsWith(before) ? path.slice(before.length) : path;
    const found = this.find(root, own);
    return found && { ...found, length: found.length + path.length - own.length };
  }

  /** Finds the object literal that defines a design, in a file or in one that it imports. */
  public root(file: string, design: string, seen: Set<string> = new Set()): Node | undefined {
    const outline = this.#source(file)?.outline;
    if (outline === undefined || seen.has(file)) return undefined;
    seen.add(file);
    const own = outline.objects.filter(isDesign);
    const named = own.filter((value) => this.#text(file, value.fields.get('name')?.value) === design);
    // If a table and its system have the same name, the system wins, because it contains the table.
    const value = named.find(({ fields }) => fields.has('tables')) ?? named[0];
    if (value !== undefined) return { file, value };
    for (const from of [...[...outline.imports.values()].map((one) => one.from), ...outline.passedOn]) {
      const next = this.#fileOf(file, from);
      const found = next === undefined ? undefined : this.root(next, design, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Finds the field at a path that starts from an expression, or at the longest prefix of the path that exists.
   * @param seen the expressions that the search has already visited, because names can form a reference cycle
   */
  public find({ file, value }: Node, path: string, seen: Set<Expression> = new Set()): Found | undefined {
    if (seen.has(value)) return undefined;
    seen.add(value);
    const names = [...value.fields.keys()].filter((name) => path === name || path.startsWith(`${name}.`));
    const [name] = names.sort((a, b) => b.length - a.length);
    if (name !== undefined) {
      const { at, value: inner } = value.fields.get(name) as Field;
      const rest = path.slice(name.length + 1);
      const deeper = rest === '' ? undefined : this.find({ file, value: inner }, rest);
      return deeper === undefined
        ? { file, at, value: inner, length: name.length }
        : { ...deeper, length: name.length + 1 + deeper.length };
    }
    const nodes = [
      ...value.inner.map((inner) => ({ file, value: inner })),
      ...value.references.flatMap((names) => this.referred(file, names) ?? []),
    ];
    const found = nodes.flatMap((node) => this.find(node, path, seen) ?? []);
    return found.sort((a, b) => b.length - a.length)[0];
  }

  /**
   * Finds the expression that a name such as `blog` or `designs.blog` refers to, in the same file or in an imported
   * one.
   */
  public referred(
    file: string,
    [first = '', ...rest]: readonly string[],
    seen: Set<string> = new Set(),
  ): Node | undefined {
    const outline = this.#source(file)?.outline;
    const place = `${file} ${first}`;
    if (outline === undefined || seen.has(place)) return undefined;
    seen.add(place);
    const own = outline.variables.get(first);
    if (own !== undefined) return this.#member({ file, value: own }, rest);
    const imported = outline.imports.get(first);
    if (imported !== undefined) {
      const next = this.#fileOf(file, imported.from);
      const names = imported.name === '*' ? rest : [imported.name, ...rest];
      return next === undefined ? undefined : this.referred(next, names, seen);
    }
    for (const from of outline.passedOn) {
      const next = this.#fileOf(file, from);
      const found = next === undefined ? undefined : this.referred(next, [first, ...rest], seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds a field in a value. Returns the value itself if the name is a method, as in `Post.extend({ … })`. */
  #member(node: Node, names: readonly string[]): Node {
    const [name, ...rest] = names;
    const field =
      name === undefined
        ? undefined
        : [node.value, ...node.value.inner].flatMap(({ fields }) => fields.get(name) ?? [])[0];
    return field === undefined ? node : this.#member({ file: node.file, value: field.value }, rest);
  }

  #text(file: string, value: Expression | undefined): string | undefined {
    if (value === undefined || value.text !== undefined) return value?.text;
    const [names] = value.references;
    return names === undefined ? undefined : this.referred(file, names)?.value.text;
  }

  #fileOf(file: string, from: string): string | undefined {
    if (!from.startsWith('.')) return undefined;
    const base = join(dirname(file), from);
    const bases = [base, base.replace(/\.[cm]?jsx?$/, '')];
    return bases
      .flatMap((path) => ENDINGS.map((ending) => path + ending))
      .find((path) => this.#source(path) !== undefined);
  }

  #source(file: string) {
    if (!this.#known.has(file)) {
      const text = this.#read(file);
      this.#known.set(file, text === undefined ? undefined : { text, outline: outlineOfSource(text) });
    }
    return this.#known.get(file);
  }
}

function isDesign({ fields }: Expression): boolean {
  return fields.has('name') && ['tables', 'entities', 'key'].some((name) => fields.has(name));
}
