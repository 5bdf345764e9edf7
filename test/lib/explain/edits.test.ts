import { z } from 'zod';
import { check, type Finding, type RuleId, rules } from '../../../lib/check';
import { defineSystem } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { type Explanation, explain } from '../../../lib/explain';
import { editorIn, type TextEdit, withChanges } from '../../../lib/source/edit';

/**
 * The rules whose example can be fixed in more than one way, each with the decision that the check leaves to the user.
 */
const DECISIONS: Partial<Record<RuleId, string>> = {
  limits: 'what to name the table',
  'template-syntax': 'what the unreadable template should mean',
  'unusable-schema': 'which bound is wrong',
  unwritable: 'whether to make the attribute optional, or to keep it',
  unprojected: 'whether to project more attributes, or to return fewer',
  'unused-index': 'whether to remove the index, or to add the pattern it is for',
  'hot-partition': 'what spreads the load',
  'tenant-unscoped': 'what tells tenants apart',
  'tenant-leak': 'whether to add a literal to the keys, or to change the format of tenant ids',
  'filtered-read': 'whether a key can replace the filter',
  'whole-scan': 'whether the scan is for maintenance',
  'azure-tables': 'what deletes expired items instead of the TTL',
  'cloud-operation': 'what the caller tests',
  'azure-keys': 'how to encode the values',
  'unbounded-item': 'how large the item may become',
  'unserved-entity': 'what writes the entity',
  'unsound-stored': 'which stored name the attribute gets',
  'likely-oversight': 'whether the guess is right',
  undecided: 'whatever the check could not decide',
};

const evaluated = (text: string): TableDesign =>
  new Function('z', 'defineTable', 'defineSystem', text.replace('export const design =', 'return'))(
    z,
    defineTable,
    defineSystem,
  );

/** Applies a finding's edits to the source of a design. */
function fixed(text: string, { edits = [] }: Finding): string {
  const design = evaluated(text);
  const place = editorIn('design.ts', [design], (file) => (file === 'design.ts' ? text : undefined));
  return withChanges(
    text,
    edits.map((edit) => {
      const placed = place(design, edit);
      expect(placed).toEqual(expect.objectContaining({ file: 'design.ts' }));
      return placed as TextEdit;
    }),
  );
}

describe.each(rules.map(({ id }) => id as RuleId))('the edits for the example of %s', (id) => {
  const { broken, findings } = explain(id) as Explanation;
  const text = `export const design = ${broken.join('\n')};`;

  test(id in DECISIONS ? 'are left to the user' : 'fix the finding, and cause no other finding', () => {
    const [finding] = findings as [Finding];
    expect(finding.edits === undefined).toBe(id in DECISIONS);
    if (finding.edits === undefined) return;
    const after = check(evaluated(fixed(text, finding)), { notes: true });
    expect(after.map(({ rule }) => rule)).not.toContain(id);
    expect(after.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
