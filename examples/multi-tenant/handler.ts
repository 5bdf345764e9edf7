import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { client, type Send } from 'tablewright/dynamodb';
import { dynamo } from 'tablewright/dynamodb/sdk';
import { app } from './design';

/** An event from an HTTP API with a JWT authorizer. The token contains the user's tenant. */
interface Request {
  readonly requestContext: {
    readonly authorizer: { readonly jwt: { readonly claims: { readonly tenantId: string } } };
  };
  readonly queryStringParameters?: { readonly cursor?: string };
}

/** Lists the notes of the caller's tenant, with credentials that cannot reach any other tenant. */
export const notesWith = (sendFor: (tenantId: string) => Send) => async (request: Request) => {
  const { tenantId } = request.requestContext.authorizer.jwt.claims; // a verified claim; never take the tenant from the path or body
  const db = client(app.tables.notes, process.env.NOTES ?? 'app-dev-notes', sendFor(tenantId));
  return db.notesOfTenant({ tenantId }, request.queryStringParameters);
};

const sts = new STSClient();
const sends = new Map<string, Send>();

/**
 * Returns the tenant's connection; there is one client per tenant. The SDK renews a client's credentials before they
 * expire.
 */
function sendAs(tenantId: string): Send {
  const send = sends.get(tenantId) ?? dynamo(new DynamoDBClient({ credentials: () => credentialsOf(tenantId) }));
  sends.set(tenantId, send);
  return send;
}

async function credentialsOf(tenantId: string) {
  const { Credentials: made } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: process.env.TENANT_ROLE,
      RoleSessionName: 'notes',
      Tags: [{ Key: 'tenantId', Value: tenantId }],
    }),
  );
  if (made?.AccessKeyId === undefined || made.SecretAccessKey === undefined)
    throw new Error('STS returned no credentials');
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken, Expiration } = made;
  return {
    accessKeyId,
    secretAccessKey,
    ...(SessionToken && { sessionToken: SessionToken }),
    ...(Expiration && { expiration: Expiration }),
  };
}

export const handler = notesWith(sendAs);
