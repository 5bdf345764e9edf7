import { tableOf } from '../../../../../lib/dynamodb/engine/front/catalogue';
import { checkRequest } from '../../../../../lib/dynamodb/engine/front/check';
import { type Input, type Request, TABLE } from '../../../../support/front/requests';

/** The table used in the differential run, as the front represents it. */
export const table = tableOf(TABLE);

/**
 * Returns the name and message of the error with which the front refuses a request to the table, or undefined if the
 * front accepts the request.
 */
export function refusalOf([operation, input]: Request): string | undefined {
  try {
    checkRequest(operation, input as Input, (name) => (name === table.name ? table : undefined));
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
}
