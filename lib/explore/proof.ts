import { isRecord } from '../files/read';
import type { Proof } from '../proof/prove';
import type { ProofView } from './view';

/** What a report of `tablewright prove --format json` says of a system; undefined where it says nothing of it. */
export function proofView(report: unknown, system: string): ProofView | undefined {
  if (!isRecord(report) || !Array.isArray(report.proofs)) {
    throw new Error("it is not a report of a proof; write one with 'tablewright prove --format json'");
  }
  const own = (report.proofs as readonly Proof[]).filter((proof) => isRecord(proof) && proof.system === system);
  if (own.length === 0) return undefined;
  const failed = own.filter(({ failure }) => failure !== undefined).length;
  const open = own.filter(({ unproved }) => unproved !== undefined).length;
  return {
    engine: String(report.engine ?? 'an engine'),
    passed: own.length - failed - open,
    failed,
    ...(open === 0 ? {} : { unproved: open }),
    proofs: own.map(({ name, kind, operation, requests, capacity, items, failure, unproved }) => ({
      ...{ name, kind, operation, requests, capacity, items },
      ...(failure === undefined ? {} : { failure }),
      ...(unproved === undefined ? {} : { unproved }),
    })),
  };
}
