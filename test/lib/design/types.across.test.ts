import { defineSystem } from '../../../lib';
import type { SystemClient } from '../../../lib/dynamodb';
import { accountsTable, type bank, ledgerTable } from '../../fixtures/bank';
import { type Equal, expectTypes, type Flat } from '../../support/types';

/*
 * The compiler checks these patterns, which span several tables (`npm run types`). It infers their types, and must
 * refuse the marked lines.
 */

type Bank = SystemClient<typeof bank>;
type Entry = { accountId: string; entryId: string; amount: number; year: number };
type Account = { accountId: string; owner: string; balance: number; year: number; readonly kind: 'Account' };

expectTypes<
  [
    Equal<Parameters<Bank['deposit']>[0], { readonly entry: Entry; readonly amount: number; readonly owner: string }>,
    Equal<Parameters<Bank['receipt']>[0], { readonly accountId: string; readonly entryId: string }>,
    Equal<Parameters<Bank['overview']>[0], { readonly accountId: readonly string[] }>,
    Equal<Awaited<ReturnType<Bank['deposit']>>, undefined>,
    Equal<Flat<NonNullable<Awaited<ReturnType<Bank['receipt']>>['account']>>, Account>,
    Equal<Awaited<ReturnType<Bank['receipt']>>['entry'], Entry | undefined>,
    Equal<Awaited<ReturnType<Bank['overview']>>['opened'], readonly Entry[]>,
  ]
>();

const tables = { accounts: accountsTable, ledger: ledgerTable };
const entry = { table: 'ledger', op: 'put', entity: 'Entry' } as const;

defineSystem({
  name: 'bank',
  cloud: 'aws',
  tables,
  patterns: {
    unknownTable: {
      op: 'transaction',
      steps: {
        entry: {
          op: 'put',
          entity: 'Entry',
          // @ts-expect-error the system has no such table
          table: 'leger',
        },
      },
    },
    unknownEntity: {
      op: 'transaction',
      steps: {
        entry: {
          table: 'ledger',
          op: 'put',
          // @ts-expect-error the entity belongs to the other table
          entity: 'Account',
        },
      },
    },
    unknownKey: {
      op: 'transactGet',
      reads: {
        entry: {
          table: 'ledger',
          where: {
            // @ts-expect-error the key belongs to the other table
            PK: '<accountId>',
          },
          returns: ['Entry'],
        },
      },
    },
    unknownField: {
      op: 'transactGet',
      // @ts-expect-error a `transactGet` cannot use a list
      each: 'accountId',
      reads: {},
    },
    sound: { op: 'transaction', steps: { entry } },
  },
  procedures: {
    one: { uses: ['sound'] },
    two: {
      // @ts-expect-error the system has no such pattern
      uses: ['unsound'],
    },
  },
});

test('the compiler checks the types of patterns across tables', () => undefined);
