import { isDeepStrictEqual } from 'node:util';
import type { TerraformJson } from '../azure-tables/terraform';
import { isRead } from '../blueprint/accesses';
import { outline } from '../blueprint/outline';
import { patternsAcross } from '../blueprint/shares';
import { patternsNamed } from '../blueprint/system';
import { nearNames, suggestion } from '../design/names';
import type { PatternDesign } from '../design/pattern';
import type { SystemDesign } from '../design/system';
import type { TemplateJson } from '../dynamodb/template/tables';
import type { Item } from '../items/item';
import type { Look, ProcedureCase, ReadCase, SystemCases, WriteCase } from './cases';
import { differencesOf, likest } from './differences';
import { fixtureIn } from './fixture';
import { wrongPages } from './pages';
import { plain, Stage, type Tally } from './stage';
import { documentedOf, faultOf, keyFaultOf, samplesOf, storedOf } from './stored';
import { strangersIn } from './strangers';
import type { AnyDatabase, Etags } from './tables';
import { unknownValueIn } from './unknown-values';
import { type Unserved, unservedBy } from './unserved';

/** The outcome of one proof, which covers a pattern, a procedure, a documented item, or an entity's keys. */
export interface Proof extends Tally {
  readonly system: string;
  readonly name: string;
  readonly kind: 'read' | 'write' | 'procedure' | 'document' | 'entity' | 'tables';
  /** The operation, and the index that it reads. */
  readonly operation: string;
  readonly items: number;
  /** The reason for the failure; undefined if the proof succeeded. */
  readonly failure?: string;
  /** Whether the case's expected result is unconfirmed. */
  readonly unconfirmed?: true;
  /** The reason why this engine cannot prove the pattern, which does not count as a failure. */
  readonly unproved?: string;
}

export interface ProofInput {
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  /** The template that would be deployed. */
  readonly template: TemplateJson | TerraformJson;
  readonly environment: string;
  /**
   * Called with the name of each pattern or procedure before it runs.
   * @default - no callback
   */
  readonly started?: (name: string) => void;
}

/** Proves a system on an engine, one pattern at a time. Never throws: every error becomes a failure. */
export async function* prove(database: AnyDatabase, input: ProofInput): AsyncIterable<Proof> {
  const { system, cases } = input;
  for (const stranger of strangersIn(system, cases)) {
    yield { system: system.name, ...stranger, operation: 'case', requests: 0, capacity: 0, items: 0 };
  }
  yield* itemProofs(input);
  const stage = new Stage(system, cases, (seen) => fixtureIn(database, input, seen));
  const unserved = await unservedBy(database, [system]);
  try {
    for (const { name, kind, operation, attempt, unproved } of attemptsOf(input, stage, unserved)) {
      input.started?.(name);
      const unknown = unknownValueIn(system, cases, name);
      const checked = unknown === undefined ? attempt : () => Promise.reject(new Error(unknown));
      const outcome =
        attempt === undefined || unproved === undefined
          ? await tried(stage, { name, kind, attempt: checked })
          : { requests: 0, capacity: 0, items: 0, unproved };
      const mark = isConfirmed(cases, name) ? {} : { unconfirmed: true as const };
      yield { system: system.name, name, kind, operation, ...outcome, ...mark };
    }
    const failure = await stage.drop().then(() => undefined, describe);
    const about = { system: system.name, name: 'tables', kind: 'tables', operation: 'drop' } as const;
    if (failure !== undefined) yield { ...about, ...stage.count(), items: 0, failure };
  } finally {
    // Drops the tables even if the caller stops iterating. After a complete run, the drop above has already reported
    // any failure.
    await stage.drop().catch(() => undefined);
  }
}

/**
 * Proves the wanted cases of a system, one at a time, on tables that already exist. The requests and pages of a read
 * are not checked.
 */
export async function* proveAt(
  fixtureFor: ConstructorParameters<typeof Stage>[2],
  { system, cases }: Pick<ProofInput, 'system' | 'cases'>,
  isWanted: (name: string, shown: readonly string[]) => boolean,
  unserved: Unserved,
): AsyncIterable<Pick<Proof, 'name' | 'failure'>> {
  const stage = new Stage(system, cases, fixtureFor);
  for (const { name, kind, attempt, shown, unproved } of attemptsOf({ system, cases }, stage, unserved, 'any')) {
    if (attempt === undefined || unproved !== undefined || !isWanted(name, shown)) continue;
    const { failure } = await tried(stage, { name, kind, attempt });
    yield { name, ...(failure === undefined ? {} : { failure }) };
  }
}

/** Proofs that need no engine: whether items match the document and have the right keys. */
export function* itemProofs({ system, cases }: Pick<ProofInput, 'system' | 'cases'>): Iterable<Proof> {
  for (const [table, design] of Object.entries(system.tables)) {
    const samples = samplesOf(cases, table);
    const proof = (name: string, about: Pick<Proof, 'kind' | 'operation' | 'items'>, failure: string | undefined) => ({
      ...{ system: system.name, name: `${table} ${name}`, ...about, requests: 0, capacity: 0 },
      ...(failure === undefined ? {} : { failure }),
    });
    for (const [name, documented] of Object.entries(samples.documented)) {
      yield proof(name, { kind: 'document', operation: 'example item', items: 1 }, faultOf(design, documented));
    }
    for (const [name, { keys }] of Object.entries(design.entities)) {
      if (keys === undefined) continue;
      const items = documentedOf(samples, name).length + storedOf(samples, name).length;
      yield proof(name, { kind: 'entity', operation: 'stored keys', items }, keyFaultOf(design, samples, name));
    }
  }
}

/** Whether no case with this name is marked as unconfirmed. */
function isConfirmed({ tables, patterns, procedures }: SystemCases, name: string): boolean {
  const all = [...Object.values(tables).map((table) => table.patterns), patterns, procedures];
  return !all.some((known) => known?.[name]?.unconfirmed === true);
}

type Outcome = Pick<Proof, 'requests' | 'capacity' | 'items' | 'failure'>;

interface Attempt extends Pick<Proof, 'name' | 'kind' | 'operation'> {
  /** Runs the case. @default - there is no case */
  readonly attempt: (() => Promise<Outcome>) | undefined;
  /** The patterns that show the effect of the write or procedure. */
  readonly shown: readonly string[];
  /** The reason why this engine cannot prove the pattern. */
  readonly unproved?: string | undefined;
}

function* attemptsOf(
  { system, cases }: Pick<ProofInput, 'system' | 'cases'>,
  stage: Stage,
  unserved: Unserved,
  pages: 'designed' | 'any' = 'designed',
): Iterable<Attempt> {
  const writing = (name: string, operation: string, found: WriteCase | undefined): Attempt => {
    const run: Write = (values, options) => (stage.patterns[name] as Write)(values, options);
    const seen = found && seenBy(found, unserved);
    const attempt = seen && (() => write(stage, seen.found, run));
    return { name, kind: 'write', operation, attempt, shown: shownBy(seen?.found), unproved: seen?.unproved };
  };
  for (const [table, design] of Object.entries(system.tables)) {
    for (const { name, design: pattern } of outline(design).patterns) {
      const found = cases.tables[table]?.patterns?.[name as never] as ReadCase | WriteCase | undefined;
      const operation = operationOf(pattern);
      if (isRead(pattern)) {
        const attempt = found && (() => read(stage, pattern, { pattern: name, ...(found as ReadCase) }, pages));
        yield { name, kind: 'read', operation, attempt, shown: [], unproved: unserved.get(name) };
      } else yield writing(name, operation, found as WriteCase | undefined);
    }
  }
  for (const [name, { op }] of patternsAcross(system)) {
    const found = cases.patterns?.[name];
    if (op === 'transaction') yield writing(name, op, found as WriteCase | undefined);
    else {
      const attempt = found && (() => read(stage, undefined, { pattern: name, ...(found as ReadCase) }, pages));
      yield { name, kind: 'read', operation: op, attempt, shown: [] };
    }
  }
  for (const name of Object.keys(system.procedures ?? {})) {
    const found = cases.procedures?.[name as never] as ProcedureCase | undefined;
    const seen = found && seenBy(found, unserved);
    const sent = system.procedures?.[name]?.uses.find((pattern) => unserved.has(pattern));
    const unproved = sent === undefined ? seen?.unproved : `it sends '${sent}': ${unserved.get(sent)}`;
    const attempt = seen && (() => procedure(stage, system, name, seen.found));
    yield { name, kind: 'procedure', operation: 'procedure', attempt, shown: shownBy(seen?.found), unproved };
  }
}

/**
 * Returns the case without the reads that the engine does not support. If no reads are left, the case cannot be proved.
 */
function seenBy<C extends WriteCase>(
  found: C,
  unserved: Unserved,
): { readonly found: C; readonly unproved?: string | undefined } {
  const shows = found.shows.filter(({ pattern }) => !unserved.has(pattern));
  if (shows.length === found.shows.length) return { found };
  const [hidden] = found.shows.filter(({ pattern }) => unserved.has(pattern));
  const unproved = hidden && `only '${hidden.pattern}' would show the effect: ${unserved.get(hidden.pattern)}`;
  return { found: { ...found, shows }, unproved: shows.length === 0 ? unproved : undefined };
}

function shownBy(found: WriteCase | undefined): readonly string[] {
  return found?.shows.map(({ pattern }) => pattern) ?? [];
}

function operationOf(pattern: PatternDesign): string {
  return pattern.op === 'query' || pattern.op === 'scan' ? `${pattern.op} ${pattern.index ?? 'table'}` : pattern.op;
}

/** Runs an attempt; an error fails only this proof. */
async function tried(
  stage: Stage,
  { name, kind, attempt }: Pick<Attempt, 'name' | 'kind' | 'attempt'>,
): Promise<Outcome> {
  // Resets the counts, so that they exclude the reads that verified the previous write.
  stage.count();
  const failed = (failure: string) => ({ ...stage.count(), items: 0, failure });
  if (attempt === undefined)
    return failed(
      kind === 'procedure'
        ? `'${name}' has no case; procedures are your own code, so write the case under 'procedures'`
        : `'${name}' has no case; 'npx tablewright cases' drafts it, or says why you have to write it yourself`,
    );
  try {
    await stage.refresh();
  } catch (error) {
    return failed(`the tables cannot be created and filled: ${describe(error as Error)}`);
  }
  stage.count();
  return attempt().catch((error: Error) => failed(describe(error)));
}

function describe({ name, message }: Error): string {
  return `${name}: ${message}`;
}

async function read(
  stage: Stage,
  pattern: PatternDesign | undefined,
  look: Look,
  wanted: 'designed' | 'any',
): Promise<Outcome> {
  const pages = await stage.pages(look);
  const tally = stage.count();
  const items = pages.flat();
  const wrong = (read: readonly Item[]) => mismatch(stage, look, read);
  const failure =
    wrong(items) ??
    stage.groupFault(look) ??
    (wanted === 'designed' && pattern !== undefined
      ? await wrongPages(stage, pattern, look, pages, tally, wrong)
      : undefined);
  return { ...tally, items: items.length, ...(failure === undefined ? {} : { failure }) };
}

/** Proves that a write has the expected effect, and that refused writes do not change anything. */
async function write(stage: Stage, found: WriteCase | ProcedureCase, write: Write): Promise<Outcome> {
  const etags = found.reads === undefined ? {} : await stage.etagsOf(found.reads);
  if (found.reads !== undefined) {
    const got = await unrefused(write(found.values, {}), 'ItemError');
    if (got !== undefined)
      return { ...stage.count(), items: 0, failure: `expected the call to fail without an ETag, got: ${got}` };
  }
  const run: Write = (values) => write(values, etags);
  stage.count();
  const got = await run(found.values);
  const tally = stage.count();
  const failure =
    wronglyGiven(found, got) ??
    (await failureOf(stage, found.shows, 'after the write')) ??
    (await wronglyDone(stage, found, run));
  const items = found.shows.reduce((sum, { returns }) => sum + returns.length, 0);
  return failure === undefined ? { ...tally, items } : { ...tally, items: 0, failure };
}

/**
 * Proves a procedure. The procedure may send only the patterns in `uses`: sending any other pattern is a failure,
 * even if the procedure catches the error.
 */
async function procedure(stage: Stage, system: SystemDesign, name: string, found: ProcedureCase): Promise<Outcome> {
  const named = patternsNamed(system, [name, ...(found.beside ?? [])]);
  const uses = named.flatMap(({ patterns }) => patterns.map((pattern) => pattern.name));
  const strays = new Set<string>();
  const patterns = Object.entries(stage.patterns).map(([pattern, run]) => {
    const refuse = () => {
      strays.add(pattern);
      throw new Error(`'${pattern}' is not in 'uses' of '${name}'`);
    };
    const methods = { step: refuse, all: refuse, pages: refuse, first: refuse, count: refuse };
    return [pattern, uses.includes(pattern) ? run : Object.assign(refuse, methods)];
  });
  const client = Object.fromEntries(patterns) as never;
  const outcome = await write(stage, found, (values) => found.run(client, values as never)).catch((error: Error) => {
    if (strays.size === 0) throw error;
    return { ...stage.count(), items: 0 };
  });
  if (strays.size === 0) return outcome;
  const list = [...strays].map((stray) => `'${stray}'`).join(', ');
  return {
    ...outcome,
    failure: `it sends ${list}, so add ${strays.size === 1 ? 'it' : 'them'} to 'uses' of '${name}'`,
  };
}

type Write = (values: object, options?: Etags) => Promise<unknown>;

function wronglyGiven(found: WriteCase | ProcedureCase, got: unknown): string | undefined {
  if (!('gives' in found)) return undefined;
  const wrong = differencesOf(plain(found.gives), plain(got));
  return wrong === '' ? undefined : `its result: ${wrong}`;
}

async function wronglyDone(
  stage: Stage,
  { refuses = [], keeps = [], shows }: WriteCase,
  run: Write,
): Promise<string | undefined> {
  for (const { why, values, error } of refuses) {
    const got = await unrefused(run(values), error);
    if (got !== undefined) return `expected ${why} to be refused with ${error}, got: ${got}`;
    const changed = await failureOf(stage, shows, `after refusing ${why}`);
    if (changed !== undefined) return changed;
  }
  for (const { why, values } of keeps) {
    await run(values);
    const changed = await failureOf(stage, shows, `after a call that must keep ${why}`);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

/** Returns undefined if the attempt failed with the expected error, and otherwise the actual outcome. */
function unrefused(attempt: Promise<unknown>, error: string): Promise<string | undefined> {
  return attempt.then(
    () => 'no error',
    (thrown: Error) => (thrown.name === error ? undefined : describe(thrown)),
  );
}

async function failureOf(stage: Stage, looks: readonly Look[], when: string): Promise<string | undefined> {
  for (const look of looks) {
    const failure = await failureOfLook(stage, look);
    if (failure !== undefined) return `${when}, ${look.pattern}: ${failure}`;
  }
  return undefined;
}

async function failureOfLook(stage: Stage, look: Look): Promise<string | undefined> {
  if (look.error === undefined) return mismatch(stage, look, (await stage.pages(look)).flat());
  const got = await unrefused(stage.pages(look), look.error);
  return got && `expected ${look.error}, got: ${got}`;
}

function mismatch(stage: Stage, look: Look, read: readonly Item[]): string | undefined {
  const { pattern, returns } = look;
  const got = plain(read);
  const expected = plain(
    returns.map((name) => {
      const item = stage.expected(look, name);
      if (item === undefined) {
        const meant = nearNames(name, stage.itemNames()).length > 0 ? `; ${suggestion(name, stage.itemNames())}` : '';
        throw new Error(`the case expects '${name}', but there is no item with this name${meant}`);
      }
      return item;
    }),
  );
  if (isDeepStrictEqual(got, expected) || (!stage.isOrdered(pattern) && haveSame(got, expected))) {
    return stage.storageFault(look);
  }
  const missing = returns.map((name, i) => ({ name, item: expected[i] as Item }));
  const unseen = missing.filter(({ item }) => !got.some((other) => isDeepStrictEqual(other, item)));
  // Shows an item without a name by its differences from the most similar expected item.
  const shown = got.map((item) => {
    const name = stage.nameOf(look, item);
    if (name !== undefined) return name;
    const like = likest(item, unseen, (candidate) => candidate.item);
    return like === undefined ? JSON.stringify(item) : `${like.name} (${differencesOf(like.item, item)})`;
  });
  return `expected [${returns.join(', ')}], got [${shown.join(', ')}]${selectHint(stage, look, got)}`;
}

/** Suggests a `select` for the case if the items differ only in attributes that the pattern does not read. */
function selectHint(stage: Stage, look: Look, got: readonly Item[]): string {
  const select = look.select === undefined ? stage.selectedBy(look.pattern, got) : undefined;
  if (select === undefined) return '';
  const expected = plain(look.returns.map((name) => stage.expected({ ...look, select }, name) as Item));
  if (!haveSame(got, expected)) return '';
  const names = select.map((name) => `'${name}'`).join(', ');
  return `; the pattern reads only part of each item; if this is intended, add this to the case: select: [${names}]`;
}

function haveSame(items: readonly Item[], others: readonly Item[]): boolean {
  return (
    items.length === others.length && others.every((other) => items.some((item) => isDeepStrictEqual(item, other)))
  );
}
