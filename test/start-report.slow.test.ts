import { join } from 'node:path';
import { reportOf } from '../build/start-report.cjs';
import { blog } from '../lib/systems/blog';
import { tablewrightIn } from './support/command';

const root = join(__dirname, '..');
const resultOf = async (...args: readonly string[]) =>
  JSON.parse((await tablewrightIn(root, [...args, '--demo', '--json'])).stdout);

test('the output of `npm start` fits on one screen, with one line per system and the next steps', async () => {
  const [check, proof] = [await resultOf('check', 'blog', 'booking'), await resultOf('prove', 'blog')];
  const lines = reportOf(check, proof, proof);
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  const proved = `${Object.keys(blog.tables.blog.patterns).length} patterns, 0 procedures`;
  expect(lines[1]).toMatch(new RegExp(`^blog +0 warnings, 1 note, \\d+ acknowledged +${proved} +${proved}$`));
  expect(lines[2]).toMatch(/^booking +0 warnings, 3 notes, .* 0 patterns, 0 procedures$/);
  expect(lines.join('\n')).toContain('npm start -- --details');
}, 120_000);

test('the `npm start` report also counts notes', async () => {
  const [check, proof] = [await resultOf('check', 'blog', '--notes'), { result: { proofs: [] } }];
  expect(reportOf(check, proof, proof)[1]).toContain('0 warnings, 1 note,');
});
