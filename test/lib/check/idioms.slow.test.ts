import { check } from '../../../lib/check/check';
import type { Finding } from '../../../lib/check/findings/finding';
import { idioms } from '../../fixtures/idioms';
import { planted } from '../../fixtures/idioms/planted';
import { busy, withFault } from '../../support/planted';

const said = ({ severity, rule, cause }: Finding) => `${severity} ${rule} ${cause}`;

describe('an idiom of single-table design', () => {
  test.each(idioms)('returns no findings for the single-table idiom $name', (design) => {
    expect(check(design)).toEqual([]);
  });

  test('returns only accurate notes for idioms of single-table design', () => {
    const notes = idioms.flatMap((design) =>
      check(design, { notes: true }).map((note) => `${note.path} ${said(note)}`),
    );
    expect(notes).toEqual([
      'entities.EmailClaim.keys.pk note likely-oversight any-case',
      'ttl note likely-oversight may-be-expired',
      'entities.Idempotency.keys.pk note likely-oversight any-text',
      'entities.Repo.attributes.topics note dynamodb-types may-be-empty',
      'entities.Ticket.attributes.requester note likely-oversight any-case',
      'tables.workspaces.entities.Card.attributes.assignee_id note likely-oversight never-unflagged',
      ...Array(5).fill('ttl note likely-oversight may-be-expired'),
    ]);
  });
});

describe.each(Object.entries(planted))('faults in an idiom: %s', (_, faults) => {
  test.each(faults)('reports the fault: %s', (_, design, edits, finding) => {
    const broken = withFault(design, edits);
    expect(check(broken, { notes: true }).map(said)).toContain(finding);
    // Without a load, a hot partition is a guess; with a load, the numbers decide.
    const load = busy(broken);
    if (finding.includes('hot-partition') && Object.keys(load).length > 0)
      expect(check(broken, { load }).map(said)).toContain('warning hot-partition too-much-load');
  });
});
