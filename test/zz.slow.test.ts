import { readFileSync } from 'node:fs';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { prove } from '../lib/proof/prove';
import { systems } from '../lib/systems';
import { cases } from '../lib/systems/cases';

test('prove', async () => {
  const name = process.env.SYSTEM ?? 'blog';
  const engine = await embeddedEngine();
  const golden = JSON.parse(readFileSync(`test/golden/${name}-prod.json`, 'utf8'));
  const out: string[] = [];
  let n = 0;
  for await (const p of prove(engine, {
    system: systems[name] as never,
    cases: cases[name] as never,
    template: golden,
    environment: 'prod',
  })) {
    n++;
    if (p.failure) out.push(`${p.name}: ${p.failure.slice(0, 700)}`);
  }
  await engine.stop();
  console.log(n, out.join('\n\n'));
}, 200000);
