import { check, type Finding, type Rule, type RuleId, rules } from '../check';
import { azure } from './azure';
import { changes, type Line } from './changes';
import { designs } from './designs';
import type { Example } from './example';
import { indexes } from './indexes';
import { keys } from './keys';
import { patterns } from './patterns';
import { sourcesOf } from './source';
import { writes } from './writes';

export type { Line } from './changes';

/** An example for each rule. The check does not import the examples, because every synth would then load them. */
export const examples: Readonly<Record<RuleId, Example>> = {
  ...designs,
  ...keys,
  ...patterns,
  ...indexes,
  ...writes,
  ...azure,
};

/** A rule, its example as source code, and the findings that the check reports for the example. */
export interface Explanation extends Pick<Rule, 'id' | 'severity' | 'why' | 'causes'> {
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  /** A line-by-line diff of the broken example and its fix. */
  readonly changes: readonly Line[];
  readonly findings: readonly Finding[];
}

/** Explains a rule. Returns undefined for an unknown id. */
export function explain(id: string): Explanation | undefined {
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) return undefined;
  const { severity, why, causes } = rule;
  const example = examples[id as RuleId];
  const [broken = [], mended = []] = sourcesOf(example.broken, example.mended);
  return {
    id,
    severity,
    why,
    causes,
    broken,
    mended,
    changes: changes(broken, mended),
    // Leaves out notes from other rules, because they do not matter in such a small design.
    findings: check(example.broken, { notes: true }).filter(
      (finding) => finding.rule === id || finding.severity !== 'note',
    ),
  };
}
