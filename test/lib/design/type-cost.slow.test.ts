import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, ROOT, tsc } from '../../support/compile';

const SIZE = 50;

// The folder is inside the repository, so that the design resolves zod in the same way as a user's design.
const CACHE = join(ROOT, 'node_modules/.cache');
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'type-cost-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The import clause for each flavor of zod. */
const FLAVOURS = { zod: '{ z }', 'zod/mini': '* as z' } as const;

beforeAll(() => {
  const built = join(folder, 'built');
  const options = ['--target', 'ES2023', '--lib', 'ES2024', '--module', 'node16', '--types', 'node', '--strict'];
  const errors = tsc(
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    built,
    ...options,
    'lib/index.ts',
    'lib/dynamodb/index.ts',
    'lib/evolve/plan/stage.ts',
  );
  expect(errors).toBe('');
}, 60_000);

// The number of instantiations does not depend on the machine.
test.each(Object.entries(FLAVOURS))(
  `with %s, a design of ${SIZE} entities and ${SIZE} patterns takes under 62,500 instantiations`,
  (flavour, imported) => {
    const file = join(folder, `design-${imported.length}.ts`);
    writeFileSync(file, `import ${imported} from '${flavour}';\n${designOf(SIZE)}`);
    const report = compile([file], '--extendedDiagnostics', '--singleThreaded');
    expect(report).not.toContain('error TS');

    const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1]);
    expect(instantiations).toBeGreaterThan(SIZE * 100);
    expect(instantiations).toBeLessThan(62_500);
  },
  60_000,
);

test('the type check of a transaction over two lists takes under 15,000 instantiations', () => {
  const file = join(folder, 'lists.ts');
  writeFileSync(
    file,
    readFileSync(join(ROOT, 'test/fixtures/two-lists.ts'), 'utf8').replace('../../lib', './built/index'),
  );
  const report = compile([file], '--extendedDiagnostics', '--singleThreaded');
  expect(report).not.toContain('error TS');
  expect(Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1])).toBeLessThan(15_000);
}, 60_000);

test('an optional value may also be undefined under `exactOptionalPropertyTypes`', () => {
  const file = join(folder, 'exact.ts');
  writeFileSync(
    file,
    `
    import { z } from 'zod';
    import { defineTable } from './built/index';
    import { changes, client, type Send } from './built/dynamodb/index';
    import type { Evolution } from './built/evolve/plan/stage';
    const design = defineTable({
      name: 'exact',
      key: { partition: 'PK' },
      entities: {
        Thing: { attributes: z.object({ id: z.string(), note: z.string().optional() }), keys: { PK: 'THING#<id>' } },
      },
      patterns: {
        list: { op: 'query', where: { PK: 'THING#<id>' }, returns: ['Thing'] },
        change: { op: 'update', entity: 'Thing', where: { PK: 'THING#<id>' }, set: { note: '<note?>' } },
        both: {
          op: 'transaction',
          steps: {
            one: { op: 'put', entity: 'Thing', optional: true },
            two: { op: 'delete', entity: 'Thing', where: { PK: 'THING#<other?>' } },
          },
        },
      },
    });
    export async function all(send: Send, cursor: string | undefined, note: string | undefined) {
      const db = client(design, 'exact', send);
      await db.list({ id: '1' }, { cursor, limit: undefined });
      await db.change({ id: '1', note });
      await db.both({ one: undefined, other: note }, { token: note });
    }
    // A stream event, as \`@types/aws-lambda\` declares it.
    interface Event {
      Records: {
        awsRegion?: string | undefined;
        eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined;
        userIdentity?: { type?: string | undefined; principalId?: string | undefined } | undefined;
        dynamodb?: {
          ApproximateCreationDateTime?: number | undefined;
          Keys?: { [key: string]: { S?: string | undefined; L?: object[] | undefined } } | undefined;
          NewImage?: { [key: string]: { S?: string | undefined } } | undefined;
          OldImage?: { [key: string]: { S?: string | undefined } } | undefined;
          SequenceNumber?: string | undefined;
        } | undefined;
      }[];
    }
    export const follow: (event: Event) => Promise<unknown> = changes(design, {});
    export const evolution: Evolution = { lock: {}, plan: {}, step: process.env.STEP };`,
  );
  expect(compile([file], '--exactOptionalPropertyTypes')).toBe('');
}, 60_000);

/**
 * Returns the code of a design in which every entity has its own attribute names, so that no two entities share a type.
 * The code also uses the values and items of every pattern.
 */
function designOf(size: number): string {
  const each = (line: (i: number) => string) => Array.from({ length: size }, (_, i) => line(i)).join('\n');
  return `
    import { defineTable, type PatternItem, type PatternValues } from './built/index';

    export const design = defineTable({
      name: 'large',
      key: { partition: 'PK', sort: 'SK' },
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
      typeAttribute: 'type',
      entities: {
        ${each(
          (i) => `Entity${i}: {
            attributes: z.object({ a${i}: z.string(), b${i}: z.string(), c${i}: z.string(), d${i}: z.string() }),
            keys: { PK: 'A#<a${i}>', SK: 'B#<b${i}>', GSI1PK: 'C#<c${i}>', GSI1SK: 'D#<d${i}>#<a${i}>' },
          },`,
        )}
      },
      patterns: {
        ${each(
          (i) => `pattern${i}: {
            op: 'query',
            index: 'GSI1',
            where: { GSI1PK: 'C#<c${i}>', GSI1SK: { beginsWith: 'D#<d${i}>' } },
            returns: ['Entity${i}'],
          },`,
        )}
      },
    });

    ${each(
      (i) => `
        export const values${i}: PatternValues<typeof design, 'pattern${i}'> = { c${i}: 'c', d${i}: 'd' };
        export const use${i} = (item: PatternItem<typeof design, 'pattern${i}'>) => item.a${i} + item.type;`,
    )}
  `;
}
