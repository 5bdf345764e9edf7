import { attributeAt } from '../blueprint/attributes/facts';
import { type EntityOutline, type KeyBlueprint, keyOf, outline } from '../blueprint/outline';
import { physicalTable } from '../blueprint/physical-table';
import type { SystemDesign } from '../design/system';
import { type Answers, designOf, diff, type Lock, lockOf, type Plan, planFor, verdictOf } from '../evolve';
import { newNameOf } from '../evolve/diff/answers';
import type { EvolutionView } from './view';

/** Returns the changes from the deployed design to the current one, and the plan for them. */
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

/**
 * Returns instructions for answering the questions that the designs leave open: the command, and an example answers
 * file.
 */
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

/** Lists the keys, indexes, key templates and attributes of the deployed design and the current design side by side. */
function sidesOf(system: SystemDesign, lock: Lock, answers: Answers): EvolutionView['sides'] {
  const before = factsOf(designOf(lock), (...place) => newNameOf(answers, ...place));
  const after = factsOf(system, (...place) => place.at(-1) as string);
  return [...new Set([...before.keys(), ...after.keys()])].map((place) => {
    const [was, is] = [before.get(place), after.get(place)];
    const path = (JSON.parse(place) as readonly string[]).join(' ');
    return { path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
  });
}

/**
 * Returns the facts about a design. The key of each fact is its place: the names that lead to it, as a JSON list.
 * @param named returns the current name of a table, entity or attribute, so that a renamed one is listed only once
 */
function factsOf({ tables }: SystemDesign, named: (...place: string[]) => string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const add = (fact: string, ...place: readonly string[]) => facts.set(JSON.stringify(place), fact);
  const names = (key: KeyBlueprint) =>
    keyOf(key)
      .map(({ name }) => name)
      .join(', ');
  for (const [own, design] of Object.entries(tables)) {
    const table = named(own);
    const { key, indexes, ttl } = physicalTable(design);
    add(names(key), table, 'key');
    if (ttl !== undefined) add(ttl, table, 'ttl');
    for (const index of indexes) {
      const projected = typeof index.projection === 'string' ? index.projection : index.projection.join(', ');
      add(`${names(index)}; projects ${projected}`, table, 'index', index.name);
    }
    for (const entity of outline(design).entities) {
      const place = [table, named(own, entity.name)];
      for (const { attribute, template, natural } of entity.keys.values())
        if (!natural) add(template.text, ...place, 'key', attribute);
      for (const attribute of entity.attributes)
        add(attributeFact(entity, attribute), ...place, 'attribute', named(own, entity.name, attribute));
    }
  }
  return facts;
}

function attributeFact({ schema }: EntityOutline, attribute: string): string {
  const { kind = 'other', optional = false, format, values } = attributeAt(schema, [attribute]) ?? {};
  const listed = values === undefined ? '' : ` (${values.join(', ')})`;
  return `${attribute}: ${optional ? 'optional ' : ''}${format ?? kind}${listed}`;
}
