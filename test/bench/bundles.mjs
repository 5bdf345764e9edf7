// Measures the bundle size of a Lambda that runs one query, with all its dependencies except the AWS SDK.
import { bundleOf, gzipped, OURS, PEERS, SIDES } from './bundle.mjs';
import { columns } from './columns.mjs';
import { verdict } from './verdict.mjs';

const KB = 1024;
const READS = 17 * KB;
const READS_AND_WRITES = 25 * KB;

/** Measures the minified and the gzipped size of each side, in bytes. */
export async function measure() {
  const measured = {};
  for (const [name, side] of Object.entries(SIDES)) {
    const bundle = await bundleOf(side);
    measured[name] = { minified: bundle.code.length, gzipped: gzipped(bundle) };
  }
  const withoutZod = await bundleOf(SIDES[OURS], 'zod', 'zod/*');
  return { sides: measured, withoutZod: { minified: withoutZod.code.length, gzipped: gzipped(withoutZod) } };
}

export function report({ sides, withoutZod }) {
  const ours = sides[OURS];
  const whole = sides['tablewright, and writes'];
  const rows = Object.entries({ ...sides, 'tablewright, zod apart': withoutZod });
  const [lightest] = PEERS.toSorted((a, b) => sides[a].gzipped - sides[b].gzipped);
  return [
    ...columns([
      ['a Lambda with one query', 'minified', 'gzipped', 'times ours'],
      ...rows.map(([name, bytes]) => [
        name,
        kilobytes(bytes.minified),
        kilobytes(bytes.gzipped),
        (bytes.gzipped / ours.gzipped).toFixed(1),
      ]),
    ]),
    '',
    verdict(ours.gzipped <= READS, `reads, with zod/mini: ${kilobytes(ours.gzipped)} (at most ${kilobytes(READS)})`),
    verdict(
      whole.gzipped <= READS_AND_WRITES,
      `reads and writes, with zod/mini: ${kilobytes(whole.gzipped)} (at most ${kilobytes(READS_AND_WRITES)})`,
    ),
    verdict(
      whole.gzipped < sides[lightest].gzipped,
      `reads and writes: less than the lightest peer, ${lightest}: ${kilobytes(sides[lightest].gzipped)}`,
    ),
  ];
}

const kilobytes = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
