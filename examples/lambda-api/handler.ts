import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Client, CursorError, client, ItemError, RequestError } from 'tablewright/dynamodb';
import { dynamo } from 'tablewright/dynamodb/sdk';
import { tasks } from './design';

/** The fields that this API reads from the event of a function URL or an HTTP API. */
interface Request {
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly rawPath: string;
  readonly queryStringParameters?: { readonly cursor?: string };
  readonly body?: string;
}

const answer = (statusCode: number, body?: object) => ({ statusCode, ...(body && { body: JSON.stringify(body) }) });

export const apiOf = (db: Client<typeof tasks>) => async (request: Request) => {
  const [, list, listId = '', taskId = ''] = request.rawPath.split('/'); // /lists/<listId>/<taskId>
  const { method } = request.requestContext.http;
  try {
    if (list !== 'lists') return answer(404);
    // The client refuses values that the design does not allow, so the handler need not validate them.
    if (method === 'GET') return answer(200, await db.tasksOfList({ listId }, request.queryStringParameters));
    if (method === 'PUT') await db.addTask({ ...JSON.parse(request.body ?? '{}'), listId, taskId, done: false });
    else if (method === 'POST') await db.finishTask({ listId, taskId });
    else return answer(405);
    return answer(204);
  } catch (error) {
    if (error instanceof ItemError || error instanceof CursorError || error instanceof SyntaxError)
      return answer(400, { error: error.message });
    if (error instanceof RequestError && error.kind === 'missing') return answer(404);
    if (error instanceof RequestError && error.kind === 'exists') return answer(409);
    throw error;
  }
};

export const handler = apiOf(client(tasks, process.env.TASKS ?? 'tasks', dynamo(new DynamoDBClient())));
