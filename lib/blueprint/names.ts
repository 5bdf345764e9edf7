import type { SystemDesign } from '../design/system';

/** The name that the stack of an environment gives a DynamoDB table of a system. */
export function tableNameOf({ name }: Pick<SystemDesign, 'name'>, environment: string, table: string): string {
  return `${name}-${environment}-${table}`;
}

/** The output of a stack that names a table. */
export function nameOutputOf(table: string): string {
  return `${table}TableName`;
}
