import { reasonOf, whereItFails } from '../../blueprint/failing';
import type { Review } from '../findings/acknowledgement';
import type { Finding } from '../findings/finding';
import { malformedDesign } from './malformed';

/** Returns the review of a design that the check cannot read, because the user's own code throws. */
export function unreadable(design: unknown, error: unknown): Review {
  const path = whereItFails(design);
  const { id, severity } = malformedDesign;
  const finding: Finding = {
    rule: id,
    severity,
    path,
    subject: { kind: 'table', name: '', ...(path === '' ? {} : { field: path }) },
    cause: 'unreadable',
    message: `the design cannot be read: ${reasonOf(error)}`,
    fix: 'write the design as plain data, in which no getter, proxy or z.lazy throws',
  };
  return { findings: [finding], acknowledged: [] };
}
