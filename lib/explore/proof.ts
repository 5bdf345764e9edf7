import { isObject } from '../design/show';
import { fingerprintOf } from '../proof/fingerprint';
import type { Proof } from '../proof/prove';
import type { Explored } from './system';
import type { ProofView } from './view';

/** Returns the names of the systems in a report that `tablewright prove --json` wrote. Throws on any other data. */
export function systemsIn(report: unknown): readonly string[] {
  return [...new Set(proofsIn(report).map(({ system }) => system))];
}

/**
 * Returns a report's results for a system, the patterns that are missing from the report and, if the report is stale,
 * the reason.
 */
export function proofView(report: unknown, { system, view }: Pick<Explored, 'system' | 'view'>): ProofView {
  const own = proofsIn(report).filter((proof) => proof.system === system.name);
  const { engine, designs, on } = report as Partial<Record<'engine' | 'designs' | 'on', unknown>>;
  const isElsewhere = on === 'azure' && system.cloud !== 'azure';
  const failed = own.filter(({ failure }) => failure !== undefined).length;
  const open = own.filter(({ unproved }) => unproved !== undefined).length;
  const proved = new Set(own.filter(({ kind }) => RUN.has(kind)).map(({ name }) => name));
  const designed = [...view.tables.flatMap(({ patterns }) => patterns), ...view.procedures].map(({ name }) => name);
  const missing = designed.filter((name) => !proved.has(name));
  const fingerprint = isObject(designs) ? designs[system.name] : undefined;
  const stale = staleness(own.length, fingerprint, system, isElsewhere);
  const passed = own.length - failed - open;
  return {
    engine: String(engine ?? 'an engine'),
    ...(isElsewhere && { on: 'Azure' as const }),
    passed,
    failed,
    ...(open === 0 ? {} : { unproved: open }),
    verdict: verdictOf({ passed, failed, open, missing: missing.length, isStale: stale !== undefined }),
    missing,
    ...(stale === undefined ? {} : { stale }),
    proofs: own.map(({ name, kind, operation, requests, capacity, items, failure, unproved }) => ({
      ...{ name, kind, operation, requests, capacity, items },
      ...(failure === undefined ? {} : { failure }),
      ...(unproved === undefined ? {} : { unproved }),
    })),
  };
}

/** The kinds of proofs that run a pattern or procedure. The other kinds are about items. */
const RUN: ReadonlySet<string> = new Set(['read', 'write', 'procedure']);

function proofsIn(report: unknown): readonly Proof[] {
  const proofs = isObject(report) ? report.proofs : undefined;
  const how = "write one with 'npx tablewright prove --json'";
  if (!Array.isArray(proofs) || !proofs.every(isProof)) throw new Error(`the file is not a proof report; ${how}`);
  if (proofs.length === 0) throw new Error(`this report contains no proof; ${how}`);
  return proofs;
}

function isProof(value: unknown): value is Proof {
  return isObject(value) && ['system', 'name', 'kind'].every((field) => typeof value[field] === 'string');
}

/** Returns why the proved design may differ from the shown one, or undefined if they are the same. */
function staleness(
  proofs: number,
  fingerprint: unknown,
  system: Explored['system'],
  isElsewhere: boolean,
): string | undefined {
  const again = `prove the system again with 'npx tablewright prove ${isElsewhere ? '--on azure ' : ''}--json'`;
  if (proofs === 0) return `The report is not about ${system.name}; ${again}.`;
  if (fingerprint === undefined) return `The report does not say which design of ${system.name} was proved; ${again}.`;
  if (fingerprint === fingerprintOfSound(system)) return undefined;
  return `The report is about a different version of ${system.name}; ${again}.`;
}

/** Returns the fingerprint of a design, or undefined if the design cannot be read. Such a design was never proved. */
function fingerprintOfSound(system: Explored['system']): string | undefined {
  try {
    return fingerprintOf(system);
  } catch {
    return undefined;
  }
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly open: number;
  readonly missing: number;
  readonly isStale: boolean;
}

function verdictOf({ passed, failed, open, missing, isStale }: Counts): string {
  const wrong = [
    ...(isStale ? ['Out of date'] : []),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(open === 0 ? [] : [`${open} not proved`]),
    ...(missing === 0 ? [] : [`${missing} not in the report`]),
  ];
  return `${wrong.length === 0 ? 'All proved' : wrong.join(', ')}: ${passed} passed`;
}
