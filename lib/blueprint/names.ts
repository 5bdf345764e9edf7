import type { SystemDesign } from '../design/system';

/** Returns the physical name of a DynamoDB table in a system's stack for one environment. */
export function tableNameOf({ name }: Pick<SystemDesign, 'name'>, environment: string, table: string): string {
  return `${name}-${environment}-${table}`;
}

/** Returns the name of the stack output that contains the name of a table. */
export function nameOutputOf(table: string): string {
  return `${table}TableName`;
}
