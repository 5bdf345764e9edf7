import { tableOf } from '../../../../../lib/dynamodb/engine/front/catalogue';
import { checkRequest } from '../../../../../lib/dynamodb/engine/front/check';
import { type Input, type Request, TABLE } from '../../../../support/front/requests';

/** The table of the differential run, as the front knows it. */
export const table = tableOf(TABLE);

/** Why the front refuses a request to that table: the type and message of the error, or nothing. */
export function refusalOf([operation, input]: Request): string | undefined {
  try {
    checkRequest(operation, input as Input, (name) => (name === table.name ? table : undefined));
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
}
