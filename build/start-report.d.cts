interface Check {
  readonly findings: readonly object[];
  readonly result: { readonly designs: readonly object[] };
}

interface Proof {
  readonly result: { readonly proofs: readonly object[] };
}

/** The lines that `npm start` shows. */
export function reportOf(check: Check, proof: Proof, onAzure: Proof): readonly string[];
