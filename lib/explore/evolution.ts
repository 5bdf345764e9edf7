import { attributeAt } from '../blueprint/attributes/facts';
import { blueprint, type EntityBlueprint, type KeyBlueprint, keyOf } from '../blueprint/table';
import type { SystemDesign } from '../design/system';
import { type Answers, designOf, diff, type Lock, lockOf, type Plan, planFor, verdictOf } from '../evolve';
import { newNameOf } from '../evolve/diff/answers';
import type { EvolutionView } from './view';

/** The changes from what is deployed to the design, and the plan that leads there. */
export function evolutionView(system: SystemDesign, lock: Lock, answers: Answers = {}): EvolutionView {
  const { environment } = lock;
  const changes = diff(lock, lockOf(system, { environment }), answers);
  const planned = plan(system, lock, answers);
  const isAsked = changes.some(({ verdict }) => verdict === 'ask');
  return {
    environment,
    verdict: verdictOf(changes),
    changes: changes.map(({ path, verdict, message, fix, was, is, breaks, because }) => ({
      ...{ path, verdict, message, fix },
      ...(was === undefined ? {} : { was }),
      ...(is === undefined ? {} : { is }),
      breaks: breaks.map(({ who, how }) => ({ who: who.replace('-', ' '), how })),
      ...(because === undefined ? {} : { because }),
    })),
    sides: sidesOf(system, lock, answers),
    phases: 'problem' in planned ? [] : planned.phases.map(phaseView),
    ...('problem' in planned ? { problem: planned.problem } : {}),
    ...(isAsked || 'problem' in planned ? { answer: answerTo(system) } : {}),
  };
}

/** How to answer what the designs leave open: the command, and an example of its file. */
function answerTo({ name }: SystemDesign): NonNullable<EvolutionView['answer']> {
  return {
    command: `npx tablewright explore ${name} --answers answers.json`,
    file: '{ "renamed": { "table.Entity.old": "new" }, "because": { "path.of.the.change": "the reason" } }',
  };
}

function plan(system: SystemDesign, lock: Lock, answers: Answers): Plan | { readonly problem: string } {
  try {
    return planFor(lock, system, answers, {});
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

/** All keys, indexes, key templates and attributes: as deployed, and in the design. */
function sidesOf(system: SystemDesign, lock: Lock, answers: Answers): EvolutionView['sides'] {
  const before = factsOf(designOf(lock), (...place) => newNameOf(answers, ...place));
  const after = factsOf(system, (...place) => place.at(-1) as string);
  return [...new Set([...before.keys(), ...after.keys()])].map((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    return { path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
  });
}

/** @param named gives the new name of what is at a place, so that something renamed is one line */
function factsOf({ tables }: SystemDesign, named: (...place: string[]) => string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const names = (key: KeyBlueprint) =>
    keyOf(key)
      .map(({ name }) => name)
      .join(', ');
  for (const [own, design] of Object.entries(tables)) {
    const table = named(own);
    const { key, indexes, entities, ttl } = blueprint(design);
    facts.set(`${table} key`, names(key));
    if (ttl !== undefined) facts.set(`${table} ttl`, ttl);
    for (const index of indexes) {
      const projected = typeof index.projection === 'string' ? index.projection : index.projection.join(', ');
      facts.set(`${table} index ${index.name}`, `${names(index)}; projects ${projected}`);
    }
    for (const entity of entities) {
      const path = `${table} ${named(own, entity.name)}`;
      for (const { attribute, template, natural } of entity.keys.values())
        if (!natural) facts.set(`${path} key ${attribute}`, template.text);
      for (const attribute of entity.attributes)
        facts.set(`${path} attribute ${named(own, entity.name, attribute)}`, attributeFact(entity, attribute));
    }
  }
  return facts;
}

function attributeFact({ schema }: EntityBlueprint, attribute: string): string {
  const { kind = 'other', optional = false, format, values } = attributeAt(schema, [attribute]) ?? {};
  const listed = values === undefined ? '' : ` (${values.join(', ')})`;
  return `${attribute}: ${optional ? 'optional ' : ''}${format ?? kind}${listed}`;
}
