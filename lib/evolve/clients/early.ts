import { EvolutionError } from '../lock/read';
import type { Call, Calls } from './two-places';
import type { TableUnderWay, UnderWay } from './under-way';

/**
 * Rejects calls to patterns that cannot find old items yet. The error names the first step in which the pattern can be
 * called.
 */
export function withoutEarly(
  calls: Calls,
  { plan, phase }: Pick<UnderWay, 'plan' | 'phase'>,
  { transition: { unserved } }: TableUnderWay,
): Calls {
  const from = plan.phases.find(({ code }) => code.reads === 'new')?.step;
  const all = Object.entries(calls).map(([name, call]): [string, Call] => {
    if (!unserved.has(name)) return [name, call];
    const refuse = (): never => {
      throw new EvolutionError(
        `${name}: ${unserved.get(name)}; call it in step '${from}' or later; this release runs step '${phase.step}'`,
      );
    };
    const methods = Object.keys(call).map((method) => [method, refuse]);
    return [name, Object.assign(async () => refuse(), Object.fromEntries(methods))];
  });
  return Object.fromEntries(all);
}
