import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { Item } from '../../../lib/items/item';
import type { TableCases, WriteCase } from '../../../lib/proof/cases';
import { prove } from '../../../lib/proof/prove';
import { members, membersCases } from '../../fixtures/members';
import { describeMutants } from './mutation';
import { templateOf } from './notes';

const template = templateOf(members, 'prod');

describeMutants('members', {}, { system: members, cases: membersCases, template, more: 80 });

describe('an engine that skips guard writes', () => {
  let engine: Database;
  beforeAll(async () => {
    engine = await embeddedEngine();
  });
  afterAll(() => engine.stop());

  /** Returns a write's operation and guard, such as `Put EMAIL`; undefined if the write is not for a guard. */
  const kindOf = (write: Item) => {
    const [op, input] = Object.entries(write)[0] as [string, { Item?: Item; Key?: Item }];
    const name = String((input.Item ?? input.Key)?.SK);
    return ['EMAIL', 'BADGE', 'PHONE'].includes(name) ? `${op} ${name}` : undefined;
  };

  /**
   * Whether the case of the pattern `from`, or of its procedure in TAKEN_OVER, fails if the engine skips all writes of
   * the kind `left`.
   */
  async function fails(from: string, left: string): Promise<boolean> {
    const forgetful: Database = {
      ...engine,
      send: (command, input) => {
        const items = input.TransactItems as readonly Item[] | undefined;
        if (items === undefined) return engine.send(command, input);
        const TransactItems = items.filter((write) => kindOf(write) !== left);
        return engine.send(command, { ...input, TransactItems });
      },
    };
    const { patterns, ...rest } = membersCases.tables.members as TableCases;
    const tables = { members: { ...rest, patterns: { [from]: patterns[from] as WriteCase } } };
    const concerned = [from, TAKEN_OVER[from]];
    for await (const { name, failure } of prove(forgetful, {
      ...{ system: members, template, environment: 'prod' },
      cases: { ...membersCases, tables },
    })) {
      if (concerned.includes(name) && failure !== undefined) return true;
    }
    return false;
  }

  /** For each pattern that frees a value, the procedure in which another member claims that value. */
  const TAKEN_OVER: Readonly<Record<string, string>> = { leave: 'succeed', moveEmail: 'handOver', swapBadge: 'passOn' };
  const STEPS: readonly (readonly [string, readonly string[]])[] = [
    ['join', ['Put EMAIL', 'Put BADGE']],
    ['joinCounted', ['Put EMAIL', 'Put BADGE']],
    ['joinAll', ['Put EMAIL', 'Put BADGE']],
    ['moveEmail', ['Put EMAIL', 'Delete EMAIL']],
    ['swapBadge', ['Put BADGE', 'Delete BADGE']],
    ['leave', ['Delete EMAIL', 'Delete BADGE']],
    ['addLogin', ['Put PHONE']],
    ['changePhone', ['Put PHONE']],
  ];
  test.each(STEPS.flatMap(([pattern, steps]) => ['nothing', ...steps].map((step) => [pattern, step] as const)))(
    'the case of %s with an engine that skips %s',
    async (pattern, step) => {
      expect(await fails(pattern, step)).toBe(step !== 'nothing');
    },
  );
});
