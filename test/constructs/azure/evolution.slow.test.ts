import { z } from 'zod';
import { DesignedStorage, type DesignedStorageProps, SystemStack } from '../../../constructs/azure';
import type { SystemDesign } from '../../../lib';
import { type Lock, lockAfter, lockOf, planFor } from '../../../lib/evolve';
import { depot, needs } from '../../fixtures/azure';
import { type TerraformJson, terraformIn } from '../../support/terraform';

const lock = lockOf(depot, { environment: 'prod' });
const { Parts, Moves } = depot.tables;
const { movesOfDay, addMove } = Moves.patterns;
const renamed: SystemDesign = {
  ...depot,
  tables: { Parts, Shifts: { ...Moves, name: 'Shifts', patterns: { movesOfDay, addMove } } },
};
const answers = {
  renamed: { Moves: 'Shifts' },
  because: { 'tables.Shifts': 'the old table is deleted once all items are copied' },
};
const USER = '11111111-2222-3333-4444-555555555555';

const storage = (props: Partial<DesignedStorageProps>, use?: (made: DesignedStorage) => void): TerraformJson =>
  terraformIn((stack) => {
    const made = new DesignedStorage(stack, 'Default', { design: renamed, ...needs, ...props });
    use?.(made);
  }).resource;
const tablesIn = (resources: TerraformJson) =>
  (Object.values(resources.azapi_resource) as TerraformJson[]).map(({ name }) => name).sort();
const grantsIn = (resources: TerraformJson) =>
  (Object.values(resources.azurerm_role_assignment ?? {}) as TerraformJson[]).filter(
    ({ principal_id }) => principal_id === USER,
  );

test('a move creates the new table first and deletes the old table last, and grants cover both tables until the contract phase', () => {
  const plan = planFor(lock, renamed, answers);
  let recorded: Lock = lock;
  const seen = plan.phases.map(({ step }) => {
    const evolution = { lock: recorded, plan, step };
    const resources = storage({ evolution }, (made) => made.grantPattern(USER, 'addMove' as never));
    recorded = lockAfter(plan, recorded, step, renamed);
    return [step, tablesIn(resources).join(' '), grantsIn(resources).length];
  });
  expect(seen).toEqual([
    ['expand-1', 'Moves Parts Shifts', 2],
    ['expand-2', 'Moves Parts Shifts', 2],
    ['drain', 'Moves Parts Shifts', 2],
    ['backfill', 'Moves Parts Shifts', 2],
    ['verify', 'Moves Parts Shifts', 2],
    ['switch', 'Moves Parts Shifts', 2],
    ['contract-1', 'Parts Shifts', 1],
  ]);
  expect(tablesIn(storage({ evolution: { lock: recorded } }))).toEqual(['Parts', 'Shifts']);
});

test('synthesis throws before it creates a resource if a change needs a plan but there is only a lock', () => {
  const evolution = { lock, answers };
  expect(() => storage({ evolution })).toThrow(
    /cannot be deployed as it is\n {2}tables\.Shifts: .*npx tablewright plan'$/s,
  );
  expect(() => storage({})).not.toThrow();
  const required: SystemDesign = {
    ...depot,
    tables: {
      Moves,
      Parts: {
        ...Parts,
        entities: {
          Thing: { ...Parts.entities.Thing, attributes: z.object({ id: z.string(), day: z.string(), n: z.number() }) },
        },
      },
    },
  };
  expect(() =>
    terraformIn((stack) => void new SystemStack(stack, 'Depot', { design: required, ...needs, evolution: { lock } })),
  ).toThrow(/tables\.Parts\.entities\.Thing\.attributes\.n: n is new and required/);
});

test('refuses a step out of order and a lock from another environment', () => {
  const plan = planFor(lock, renamed, answers);
  expect(() => storage({ evolution: { lock, plan, step: 'switch' } })).toThrow(/'switch' is out of order/);
  const other = lockOf(depot, { environment: 'dev' });
  expect(() => storage({ evolution: { lock: other } })).toThrow(/lock is for environment 'dev', not 'prod'/);
});
