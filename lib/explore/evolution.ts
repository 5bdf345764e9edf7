import { blueprint, type KeyBlueprint, keyOf } from '../blueprint/table';
import type { SystemDesign } from '../design/system';
import { designOf, diff, type Lock, lockOf, type Plan, planFor, verdictOf } from '../evolve';
import type { EvolutionView } from './view';

/** What changes from what is deployed to the design, and the way there. */
export function evolutionView(system: SystemDesign, lock: Lock): EvolutionView {
  const { environment } = lock;
  const changes = diff(lock, lockOf(system, { environment }), {});
  const planned = plan(system, lock);
  return {
    environment,
    verdict: verdictOf(changes),
    changes: changes.map(({ path, verdict, message, fix, was, is, breaks }) => ({
      ...{ path, verdict, message, fix },
      ...(was === undefined ? {} : { was }),
      ...(is === undefined ? {} : { is }),
      breaks: breaks.map(({ how }) => how),
    })),
    sides: sidesOf(system, lock),
    phases: 'problem' in planned ? [] : planned.phases.map(phaseView),
    ...('problem' in planned ? { problem: planned.problem } : {}),
  };
}

function plan(system: SystemDesign, lock: Lock): Plan | { readonly problem: string } {
  try {
    return planFor(lock, system, {}, {});
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function phaseView({
  step,
  kind,
  wave,
  runs,
  until,
  rollback,
}: Plan['phases'][number]): EvolutionView['phases'][number] {
  return {
    step,
    kind,
    wave: wave.map(({ action, name, table }) => `${action} ${name === undefined ? table : `${name} of ${table}`}`),
    runs,
    until,
    ...(rollback.possible ? { back: rollback.how } : {}),
  };
}

/** All keys, indexes and key templates, of what is deployed and of the design. */
function sidesOf(system: SystemDesign, lock: Lock): EvolutionView['sides'] {
  const before = factsOf(designOf(lock));
  const after = factsOf(system);
  return [...new Set([...before.keys(), ...after.keys()])].map((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    return { path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
  });
}

function factsOf({ tables }: SystemDesign): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const names = (key: KeyBlueprint) =>
    keyOf(key)
      .map(({ name }) => name)
      .join(', ');
  for (const [table, design] of Object.entries(tables)) {
    const { key, indexes, entities, ttl } = blueprint(design);
    facts.set(`${table} key`, names(key));
    if (ttl !== undefined) facts.set(`${table} ttl`, ttl);
    for (const index of indexes) {
      const projected = typeof index.projection === 'string' ? index.projection : index.projection.join(', ');
      facts.set(`${table} index ${index.name}`, `${names(index)}; projects ${projected}`);
    }
    for (const { name, keys } of entities) {
      for (const { attribute, template } of keys.values()) facts.set(`${table} ${name}.${attribute}`, template.text);
    }
  }
  return facts;
}
