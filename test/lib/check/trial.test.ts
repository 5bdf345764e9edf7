import { check, type Finding } from '../../../lib/check';
import { faultsInEntities } from '../../fixtures/sound/planted-entities';
import { faultsInPatterns } from '../../fixtures/sound/planted-patterns';
import { withFault } from '../../support/planted';

const said = ({ severity, rule, cause, path }: Finding) => `${severity} ${rule} ${cause} ${path}`;

test.each([...faultsInEntities, ...faultsInPatterns])('finds the planted fault: %s', (_, design, edits, expected) => {
  const before = new Set(check(design, { notes: true }).map(said));
  const found = check(withFault(design, edits), { notes: true }).filter((finding) => !before.has(said(finding)));
  const grave = found.filter(({ severity }) => severity !== 'note');
  // If a fault causes an error or a warning, notes do not count. Otherwise, only the first note counts.
  expect((grave.length > 0 ? grave : found.slice(0, 1)).map(said)).toEqual([expected]);
});
