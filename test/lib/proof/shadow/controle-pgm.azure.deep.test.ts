import { stepTemplates } from '../../../../bin/commands/step-templates';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { readEntity } from '../../../../lib/azure-tables/entity';
import { type EntityOutline, entityNamed, outline } from '../../../../lib/blueprint/outline';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import { lockOf, planFor } from '../../../../lib/evolve';
import { valuesOf } from '../../../../lib/items/item';
import type { SystemCases } from '../../../../lib/proof';
import { type PhaseProof, provePlan } from '../../../../lib/proof/shadow/prove-plan';
import { controlePgm } from '../../../../lib/systems';
import { cases } from '../../../../lib/systems/cases';

let engine: AzureDatabase;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());

/** Replaces a prefix in the keys of a table's entities and patterns. */
function rekeyed<T extends TableDesign>({ entities, patterns, ...table }: T, old: string, now: string): TableDesign {
  const keys = (where: object) =>
    Object.fromEntries(
      Object.entries(where).map(([name, text]) => [name, typeof text === 'string' ? text.replace(old, now) : text]),
    );
  return {
    ...table,
    entities: Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [name, { ...entity, keys: keys(entity.keys ?? {}) }]),
    ),
    patterns: Object.fromEntries(
      Object.entries(patterns ?? {}).map(([name, pattern]) => [
        name,
        'where' in pattern ? { ...pattern, where: keys(pattern.where) } : pattern,
      ]),
    ) as never,
  };
}

/** Returns the cases, with the values of each documented item instead of its keys, because the keys change. */
function casesFor(tables: Readonly<Record<string, TableDesign>>): SystemCases {
  const own = cases['controle-pgm'] as SystemCases;
  const all = Object.entries(own.tables).map(([name, { documented = {}, ...rest }]) => {
    const table = outline(tables[name] as TableDesign);
    const samples = Object.entries(documented).map(([label, { entity, item }]) => [
      label,
      [entity, valuesOf(table, entityNamed(table, entity) as EntityOutline, item, readEntity)],
    ]);
    return [name, { ...rest, items: { ...rest.items, ...Object.fromEntries(samples) } }];
  });
  return { ...own, tables: Object.fromEntries(all) };
}

test("controle-pgm's guards and procedures keep working in every phase of a plan that changes keys", async () => {
  const { Sequences, UsersByEmail } = controlePgm.tables;
  const after: SystemDesign = {
    ...controlePgm,
    tables: {
      ...controlePgm.tables,
      Sequences: rekeyed(Sequences, 'SEQ_', 'SEQUENCE_'),
      UsersByEmail: rekeyed(UsersByEmail, 'EMAIL', 'MAIL'),
    },
  };
  const lock = lockOf(controlePgm, { environment: 'prod' });
  const plan = planFor(lock, after);
  expect(plan.items.filter(({ moves }) => moves).map(({ from }) => from.table)).toEqual(['Sequences', 'UsersByEmail']);
  const proofs: PhaseProof[] = [];
  const input = { plan, lock, design: after, cases: casesFor(controlePgm.tables) };
  for await (const proof of provePlan(engine, { ...input, templates: stepTemplates(after, plan) })) proofs.push(proof);
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  for (const proof of proofs) expect(proof.cases).toBeGreaterThan(30);
});
