import { check } from '../../../lib/check/check';
import type { Finding } from '../../../lib/check/finding';
import { idioms } from '../../fixtures/idioms';
import { planted } from '../../fixtures/idioms/planted';
import { withFault } from '../../support/planted';

const said = ({ severity, rule, cause }: Finding) => `${severity} ${rule} ${cause}`;

describe('an idiom of single-table design', () => {
  test.each(idioms)('has nothing to be found: $name', (design) => {
    expect(check(design)).toEqual([]);
  });

  test('has at most a note, where it is true', () => {
    const notes = idioms.flatMap((design) =>
      check(design, { notes: true }).map((note) => `${note.path} ${said(note)}`),
    );
    expect(notes).toEqual([
      'entities.Repo.attributes.topics note dynamodb-types may-be-empty',
      'entities.Event.attributes.data note unbounded-item no-bound',
      'entities.Job.attributes.payload note unbounded-item no-bound',
    ]);
  });
});

describe.each(Object.entries(planted))('%s:', (_, faults) => {
  test.each(faults)('%s', (_, design, edits, finding) => {
    expect(check(withFault(design, edits), { notes: true }).map(said)).toContain(finding);
  });
});
