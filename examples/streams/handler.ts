import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Client, changes, client, RequestError } from 'tablewright/dynamodb';
import { dynamo } from 'tablewright/dynamodb/sdk';
import { orders } from './design';

const DAY = 86_400;

/** Adds every new order to its shop's revenue, exactly once. */
export const revenueIn = (db: Client<typeof orders>) =>
  changes(orders, {
    Order: {
      async inserted({ shopId, cents }, { id = '', at = 0 }) {
        try {
          // A stream keeps records for one day, so an event cannot be redelivered after two days.
          await db.countOrder({ event: { eventId: id, expiresAt: at + 2 * DAY }, shopId, cents });
        } catch (error) {
          if (!(error instanceof RequestError) || error.kind !== 'exists') throw error;
        }
      },
    },
  });

export const handler = revenueIn(client(orders, process.env.ORDERS ?? 'orders', dynamo(new DynamoDBClient())));
