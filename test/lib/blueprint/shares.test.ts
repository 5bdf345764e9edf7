import { pathInSystem, patternsOfShares, whole } from '../../../lib/blueprint/shares';
import type { SystemDesign } from '../../../lib/design/system';
import { bank, ledgerTable } from '../../fixtures/bank';

const system: SystemDesign = bank;

test("each table gets its own share of the system's patterns", () => {
  const { tables } = whole(system);
  expect(tables.ledger?.patterns).toEqual({
    deposit: {
      op: 'transaction',
      purpose: 'books an entry and adds it to the balance',
      steps: { entry: { op: 'put', entity: 'Entry' } },
      across: { balance: 'accounts', allowed: 'accounts' },
    },
    receipt: {
      op: 'transactGet',
      keys: { entry: { accountId: '<accountId>', entryId: '<entryId>' } },
      returns: ['Entry'],
      across: { account: 'accounts' },
    },
    overview: {
      op: 'batchGet',
      each: 'accountId',
      keys: { opened: { accountId: '<accountId>', entryId: 'e0' } },
      returns: ['Entry'],
      across: { accounts: 'accounts' },
    },
    ...ledgerTable.patterns,
  });
  expect(whole(whole(system))).toBe(whole(system));
});

test('`whole` changes neither a system without system-wide patterns nor a table that has no share of them', () => {
  const alone: SystemDesign = { name: 'alone', cloud: 'aws', tables: { ledger: ledgerTable } };
  expect(whole(alone)).toBe(alone);
  const { deposit: _, receipt: __, ...rest } = bank.patterns;
  const { opened: ___, ...reads } = rest.overview.reads;
  const one = { ...system, patterns: { overview: { ...rest.overview, reads } } };
  expect(whole(one).tables.ledger).toBe(ledgerTable);
});

test('patternsOfShares rebuilds the patterns of a system from the shares of its tables', () => {
  expect(patternsOfShares(whole(system).tables)).toEqual(bank.patterns);
});

test.each([
  ['patterns.receipt.keys.entry.entryId', 'patterns.receipt.reads.entry.where.entryId'],
  ['patterns.receipt.keys.entry', 'patterns.receipt.reads.entry.where'],
  ['patterns.receipt.returns', 'patterns.receipt.reads'],
  ['patterns.deposit.steps.entry.entity', 'patterns.deposit.steps.entry.entity'],
  ['patterns.entries.where', 'tables.ledger.patterns.entries.where'],
  ['entities.Entry', 'tables.ledger.entities.Entry'],
])('the path %s in a table corresponds to the path %s in its system', (path, expected) => {
  expect(pathInSystem(system, 'ledger', path)).toBe(expected);
});
