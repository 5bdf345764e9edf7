import { stackOfTables } from '../../azure-tables/terraform';
import type { PhysicalTables } from '../../blueprint/physical-table';
import type { SystemDesign } from '../../design/system';
import { templateOf } from '../../dynamodb/template/make';
import type { Phase, Plan } from '../../evolve';
import { tablesOfLock } from '../../evolve/plan/waves';
import { deployedName } from '../tables';
import type { Templates } from './prove-plan';

/** Makes templates that contain only the tables, one for each step, for a proof that does not load the constructs. */
export function bareTemplates(system: SystemDesign, { environment, cloud, phases }: Plan): Templates {
  const make = async (tables: PhysicalTables) => {
    const names = Object.keys(tables).map((table) => deployedName(system, environment, table));
    if (cloud === 'azure') return stackOfTables(names);
    return templateOf(
      Object.fromEntries(
        Object.values(tables).map((table, i) => [`Table${names[i]}`, { ...table, name: names[i] as string }]),
      ),
    );
  };
  return {
    deployed: (lock) => make(tablesOfLock(lock)),
    at: (step) => make((phases.find((phase) => phase.step === step) as Phase).tables),
  };
}
