import { check, type Finding, type Rule, type RuleId, rules } from '..';
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

/** A design that each rule finds fault with, and the same design mended; apart from the check, which every synth loads. */
export const examples: Readonly<Record<RuleId, Example>> = {
  ...designs,
  ...keys,
  ...patterns,
  ...indexes,
  ...writes,
  ...azure,
};

/** A rule with its example, as one would write it, and what the check says of that. */
export interface Explanation extends Pick<Rule, 'id' | 'severity' | 'why' | 'causes'> {
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  /** The example that is broken, and how it is mended. */
  readonly changes: readonly Line[];
  readonly findings: readonly Finding[];
}

/** Explains a rule; undefined where there is none of that id. */
export function explain(id: string): Explanation | undefined {
  const rule = rules.find((one) => one.id === id);
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
    // What else is worth knowing of so small a design is not the point.
    findings: check(example.broken, { notes: true }).filter((one) => one.rule === id || one.severity !== 'note'),
  };
}
