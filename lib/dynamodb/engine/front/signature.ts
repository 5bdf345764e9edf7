import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;

/** The maximum difference between the date of a signature and the current time, in milliseconds. */
const TOLERANCE = 15 * 60_000;

/**
 * Returns a function that checks a request's signature (Signature Version 4) against one pair of credentials, and
 * throws the errors that DynamoDB would return.
 */
export function signatureCheck({ accessKeyId, secretAccessKey }: Credentials) {
  const keys = new Map<string, Buffer>();
  const keyFor = (date: string, region: string, service: string) => {
    const scope = `${date}/${region}/${service}`;
    const known = keys.get(scope);
    if (known !== undefined) return known;
    const parts = [date, region, service, 'aws4_request'];
    const key = parts.reduce<Buffer>((made, part) => hmac(made, part), Buffer.from(`AWS4${secretAccessKey}`));
    // Limits the size of the cache. Its keys contain the region and the service, so a caller could otherwise exhaust
    // the memory by sending a different region or service each time.
    if (keys.size > 100) keys.clear();
    keys.set(scope, key);
    return key;
  };
  return (method: string, path: string, headers: IncomingHttpHeaders, body: Buffer): void => {
    const { authorization } = headers;
    if (authorization === undefined)
      throw new Refusal('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    const [, id, date = '', region = '', service = '', signed = '', signature = ''] = FORM.exec(authorization) ?? [];
    const at = headers['x-amz-date'];
    const names = signed.split(';');
    if (
      id === undefined ||
      typeof at !== 'string' ||
      !at.startsWith(date) ||
      !['host', 'x-amz-date'].every((name) => names.includes(name))
    )
      throw new Refusal('IncompleteSignatureException', 'Authorization header requires a complete Signature Version 4');
    if (id !== accessKeyId)
      throw new Refusal('UnrecognizedClientException', 'The security token included in the request is invalid.');
    const [pathname = '/', query = ''] = path.split('?');
    const canonical = [
      method,
      pathname,
      query,
      ...names.map(
        (name) =>
          `${name}:${String(headers[name] ?? '')
            .trim()
            .replace(/\s+/g, ' ')}`,
      ),
      '',
      signed,
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    const text = [
      'AWS4-HMAC-SHA256',
      at,
      `${date}/${region}/${service}/aws4_request`,
      createHash('sha256').update(canonical).digest('hex'),
    ].join('\n');
    const expected = hmac(keyFor(date, region, service), text);
    if (!timingSafeEqual(expected, Buffer.from(signature, 'hex')))
      throw new Refusal(
        'InvalidSignatureException',
        'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
      );
    const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!(Math.abs(Date.now() - time) <= TOLERANCE))
      throw new Refusal('InvalidSignatureException', `Signature expired: ${at} is not within 15 minutes of now`);
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
