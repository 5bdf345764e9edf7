// Measures how much memory `tablewright migrate run` uses for a given number of stored items, and for ten times as
// many.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns } from './columns.mjs';
import { filled, load, notesDesigns, notesEngine } from './notes-table.mjs';
import { ROOT } from './root.mjs';
import { verdict } from './verdict.mjs';

const ITEMS = Number(process.env.MIGRATION_ITEMS ?? 2000);

/** The maximum ratio of the two peaks. It is above 1 because the peaks vary a little from run to run. */
const MOST = 1.25;

/** Creates a user's project folder, with a plan that has reached the backfill step. */
function project() {
  const { planFor, lockAfter } = load('lib/evolve/index.js');
  const { canonicalFile } = load('lib/evolve/canonical.js');
  const { lock: before, after } = notesDesigns('prod');
  const plan = planFor(before, after);
  const backfill = plan.phases.findIndex(({ kind }) => kind === 'backfill');
  const lock = plan.phases.slice(0, backfill).reduce((lock, { step }) => lockAfter(plan, lock, step, after), before);
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-bench-'));
  mkdirSync(join(folder, 'tablewright'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'tablewright/bench.prod.lock.json'), canonicalFile(lock));
  writeFileSync(join(folder, 'tablewright/bench.prod.plan.json'), canonicalFile(plan));
  writeFileSync(join(folder, 'tablewright.config.ts'), `export default { designs: './designs.js' };`);
  const [design, library] = ['test/bench/notes-design.cjs', 'dist/lib/index.js'].map((file) =>
    JSON.stringify(join(ROOT, file)),
  );
  writeFileSync(
    join(folder, 'designs.js'),
    `exports.system = require(${design})({ ...require('zod'), ...require(${library}) }, 2);`,
  );
  return folder;
}

/** Migrates a table in a separate process, and returns its peak memory in megabytes. */
async function peakOf(folder, { endpoint, credentials }, table) {
  const file = join(folder, 'peak');
  const options = ['--write', '--because', 'the benchmark measures it', '--state', `${table}-states`];
  const child = spawn(
    process.execPath,
    [
      ...[
        '--expose-gc',
        '--require',
        join(ROOT, 'test/bench/peak.cjs'),
        join(ROOT, 'dist/bin/tablewright.js'),
        'migrate',
        'run',
      ],
      ...['--endpoint', endpoint, '--table', `notes=${table}`, ...options],
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        PEAK_FILE: file,
        ...(credentials && {
          AWS_ACCESS_KEY_ID: credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        }),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let notes = '';
  child.stderr.on('data', (data) => {
    notes += data;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`migrate run ended with code ${code}: ${notes}`);
  return Number(readFileSync(file, 'utf8'));
}

export async function measure() {
  const folder = project();
  const engine = await notesEngine();
  const peaks = [];
  try {
    for (const items of [ITEMS, ITEMS * 10]) {
      const table = `bench-memory-${items}`;
      await filled(engine, table, items);
      peaks.push({ items, megabytes: await peakOf(folder, engine, table) });
      for (const name of [table, `${table}-states`]) await engine.drop(name);
    }
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
  return { engine: engine.name, peaks };
}

export function report({ engine, peaks }) {
  const [few, many] = peaks.map(({ megabytes }) => megabytes);
  const ratio = many / few;
  return [
    `memory: the most that tablewright migrate run uses after a garbage collection, at ${engine}`,
    ...columns(peaks.map(({ items, megabytes }) => [`${items} items`, `${Math.round(megabytes)} MB`])),
    '',
    verdict(ratio <= MOST, `${ratio.toFixed(2)} of the memory for ten times the items (at most ${MOST})`),
  ];
}
