import { environments } from '../../constructs/environment';
import type { SystemDesign } from '../../lib/design/system';
import { asDeployed, designOf, type Evolution, type Plan, withEdits } from '../../lib/evolve';
import type { Templates } from '../../lib/proof/shadow/prove-plan';
import { cloudFormationOf, terraformJsonOf } from './synthesize';

/** The templates that the constructs synthesize for the start of a plan and for each of its steps. */
export function stepTemplates(
  design: SystemDesign,
  { edits, environment: name, cloud }: Pick<Plan, 'edits' | 'environment' | 'cloud'>,
): Templates {
  // The table names are those of the plan's environment, but the settings are those of `dev`, so that a step really
  // deletes what it removes.
  const environment = { ...environments.dev, name };
  const synthesize = (system: SystemDesign, evolution?: Evolution) =>
    (cloud === 'azure' ? terraformJsonOf : cloudFormationOf)(system, environment, evolution);
  return {
    deployed: async (lock) => {
      const old = designOf(lock);
      const tables = Object.entries(old.tables).map(([table, own]) => [table, asDeployed(own)]);
      return synthesize({ ...old, tables: Object.fromEntries(tables) });
    },
    at: (step, lock, plan) => synthesize(withEdits(design, edits), { lock, plan, step }),
  };
}
