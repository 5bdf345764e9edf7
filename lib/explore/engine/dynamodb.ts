import { DYNAMODB } from '../../blueprint/clouds';
import { tableNameOf } from '../../blueprint/names';
import { type PhysicalTables, physicalTable } from '../../blueprint/physical-table';
import type { SystemDesign } from '../../design/system';
import { templateOf } from '../../dynamodb/template/make';
import type { TemplateJson } from '../../dynamodb/template/tables';

const ENVIRONMENT = 'explorer';

/** Returns the name that a stack would give the table, or a substitute if DynamoDB does not allow this name. */
export function dynamoDbName(system: SystemDesign, table: string): string {
  const name = tableNameOf(system, ENVIRONMENT, table);
  return DYNAMODB.name.form.test(name) ? name : `${ENVIRONMENT}-${Object.keys(system.tables).indexOf(table)}`;
}

/** Returns a template with only the tables, because no pattern depends on other resources. */
export function dynamoDbTemplate(system: SystemDesign): TemplateJson {
  return templateOf(tablesOf(system));
}

/** Returns the tables for a disposable copy, in which items never expire. */
function tablesOf(system: SystemDesign): PhysicalTables {
  const made = Object.entries(system.tables).map(([name, design]) => {
    const { ttl: _, ...table } = physicalTable(design);
    return [name, { ...table, name: dynamoDbName(system, name) }];
  });
  return Object.fromEntries(made);
}
