import type { AzureDatabase } from '../../azure-tables/engine/database';
import { azureTablesIn, stackOfTables, type TerraformJson } from '../../azure-tables/terraform';
import type { Stack } from './update';

/**
 * The tables of a Terraform stack. A deployment deletes a table and its rows if the stack no longer contains the table,
 * as Terraform does.
 */
export function terraform(database: AzureDatabase): Stack<TerraformJson> {
  const deployed = new Set<string>();
  return {
    async deploy(stack) {
      const wanted = azureTablesIn(stack);
      await database.provision(stackOfTables(wanted.filter((name) => !deployed.has(name))));
      for (const name of [...deployed].filter((table) => !wanted.includes(table))) {
        await database.drop(name);
        deployed.delete(name);
      }
      for (const name of wanted) deployed.add(name);
    },
    has: (tableName) => deployed.has(tableName),
    async end() {
      for (const table of deployed) await database.drop(table);
      deployed.clear();
    },
  };
}
