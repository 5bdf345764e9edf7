import { z } from 'zod';
import { check, type Finding, type RuleId, rules } from '../../../lib/check';
import { defineSystem } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { type Explanation, explain } from '../../../lib/explain';
import { editorIn, type TextEdit, withChanges } from '../../../lib/source/edit';

/**
 * The rules whose example can be fixed in more than one way, each with the reason why the check does not choose a fix.
 */
const DECISIONS: Partial<Record<RuleId, string>> = {
  limits: 'only the user can name a table',
  'template-syntax': 'a template that cannot be read does not show what it means',
  'unusable-schema': 'which bound is wrong',
  unwritable: 'whether the attribute is optional, or stays',
  unprojected: 'whether the index holds more, or the caller gets less',
  'unused-index': 'whether to remove the index, or to add the pattern it is for',
  'hot-partition': 'what spreads the load',
  'tenant-unscoped': 'what tells tenants apart',
  'tenant-leak': 'whether keys get a word, or tenants a different form',
  'filtered-read': 'whether a key serves the filter',
  'whole-scan': 'whether it is for maintenance',
  'azure-tables': 'what deletes old items instead',
  'cloud-operation': 'what the caller tests',
  'azure-keys': 'what the values become',
  'unbounded-item': 'how large it may be',
  'unserved-entity': 'what writes it',
  'unsound-stored': 'which short name an attribute gets',
  'likely-oversight': 'whether the guess is right',
  undecided: 'whatever the check could not',
};

const evaluated = (text: string): TableDesign =>
  new Function('z', 'defineTable', 'defineSystem', text.replace('export const design =', 'return'))(
    z,
    defineTable,
    defineSystem,
  );

/** Returns the source of a design after applying the edits of a finding. */
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

  test(id in DECISIONS ? 'are left for a person to decide' : 'fix the finding, and cause no other finding', () => {
    const [finding] = findings as [Finding];
    expect(finding.edits === undefined).toBe(id in DECISIONS);
    if (finding.edits === undefined) return;
    const after = check(evaluated(fixed(text, finding)), { notes: true });
    expect(after.map(({ rule }) => rule)).not.toContain(id);
    expect(after.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
