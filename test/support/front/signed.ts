import { createHash, createHmac } from 'node:crypto';

export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Returns headers that sign a request to DynamoDB with Signature Version 4, for requests that no SDK would send. */
export function signedHeaders(
  endpoint: string,
  target: string,
  body: string,
  { accessKeyId, secretAccessKey }: Signer,
): Record<string, string> {
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${at.slice(0, 8)}/local/dynamodb/aws4_request`;
  const headers = { host: new URL(endpoint).host, 'x-amz-date': at, 'x-amz-target': target };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const canonical = ['POST', '/', '', ...lines, '', names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  return {
    ...headers,
    'content-type': 'application/x-amz-json-1.0',
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
