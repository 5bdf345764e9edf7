import { check, type Finding } from '../../../lib/check';
import { planted } from '../../fixtures/idioms/planted';
import { withEdits } from '../../support/edited';
import { type Design, withFault } from '../../support/planted';

const said = ({ severity, rule, cause, path, message }: Finding) => `${severity} ${rule} ${cause} ${path}: ${message}`;
const place = ({ rule, cause, path }: Finding) => `${rule} ${cause} ${path}`;
const all = Object.values(planted).flat();

/** The findings with edits for every planted fault, each with its faulty design. */
const findings = all.flatMap(([what, sound, fault]): readonly (readonly [string, Design, Finding])[] => {
  const design = withFault(sound, fault);
  return check(design, { notes: true })
    .filter(({ edits }) => edits !== undefined)
    .map((finding) => [`${what}: ${said(finding)}`, design, finding]);
});

test('offers edits for more than a third of the planted faults', () => {
  expect(findings.length).toBeGreaterThan(all.length / 3);
});

test.each(findings)(
  'the proposed edits remove the finding %s, and cause no other error or warning',
  (_, design, finding) => {
    const fixed = withEdits(design, finding.edits ?? []);
    const after = check(fixed, { notes: true });
    expect(after.map(said)).not.toContain(said(finding));
    const before = new Set(check(design, { notes: true }).map(place));
    const others = after.filter((other) => other.severity !== 'note' && !before.has(place(other)));
    expect(others).toEqual([]);
  },
);
