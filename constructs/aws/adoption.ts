import type { IKey } from 'aws-cdk-lib/aws-kms';
import { isObject, show } from '../../lib/design/show';
import type { Environment } from '../environment';
import { assertTableName } from './table-props';

/** An existing table that a system uses as one of its tables. */
export interface Adoption {
  readonly tableName: string;
  /**
   * The customer-managed key that encrypts the table. `'system'` selects the system's own key, for example if the table
   * was restored with that key. Grants on a table with a customer-managed key do not work without this prop.
   * @default - the table is not encrypted with a customer-managed key
   */
  readonly encryptionKey?: IKey | 'system';
}

/** Refuses an adoption that would otherwise fail only when the table is used. */
export function assertAdoptable(place: string, adoption: Adoption, environment: Environment): void {
  if (!isObject(adoption)) {
    throw new Error(`${place} must be an object such as { tableName: 'existing-table' }, got: ${show(adoption)}`);
  }
  const { tableName, encryptionKey: key } = adoption;
  assertTableName(`${place}.tableName`, tableName);
  if (key === 'system' && environment.encryption !== 'customer-managed') {
    throw new Error(
      `${place}.encryptionKey: in environment '${environment.name}' the system has no encryption key; omit encryptionKey, or pass the table's own key`,
    );
  }
  if (key !== undefined && key !== 'system' && !isObject(key)) {
    throw new Error(`${place}.encryptionKey must be 'system' or a key, such as Key.fromKeyArn(…), got: ${show(key)}`);
  }
}
