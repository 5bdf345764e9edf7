import { codeOf } from '../errors';
import { type Account, type Credential, EMULATED } from './account';

/** An error from the service, with a readable message. Keeps the fields of the SDK's error for error handlers. */
export class ServiceRefusal extends Error {
  public override readonly name = 'ServiceRefusal';
  public readonly statusCode: number;
  public readonly code?: string;
  public readonly details?: unknown;

  public constructor(message: string, cause: ServiceError, code: string | undefined) {
    super(message, { cause });
    this.statusCode = cause.statusCode;
    if (code !== undefined) this.code = code;
    if (cause.details !== undefined) this.details = cause.details;
  }
}

interface ServiceError extends Error {
  readonly statusCode: number;
  readonly details?: { readonly odataError?: { readonly message?: { readonly value?: unknown } } };
}

type Kind = Credential['kind'];

type Caller = Pick<Account, 'url' | 'credential'>;

const FIREWALL =
  'the account has a firewall that admits only listed addresses and networks; run this command from a listed address';
const ROLE =
  'your identity needs the Storage Table Data Reader role to read, or the Storage Table Data Contributor role to write; a new role may take a few minutes to take effect';
const TOKEN = 'the SAS token has expired, is truncated, or does not allow this request; create a new token';

/** Reasons why the account does not accept the credential. */
const UNKNOWN: Readonly<Record<Kind, string>> = {
  key: 'the account key does not belong to this account; copy the connection string again',
  token: TOKEN,
  identity: "the account does not recognize this machine's identity; sign in to the account's tenant",
};

/** Reasons why the account accepts the credential but refuses the request. */
const FORBIDDEN: Readonly<Record<Kind, string>> = {
  key: 'the account accepts the key, but the key does not allow this request',
  token: TOKEN,
  identity: ROLE,
};

/** Why an account refuses a request, and how to fix it, by error code. */
const REASONS: Readonly<Record<string, string | Readonly<Record<Kind, string>>>> = {
  AccountIsDisabled: 'the account is disabled; check its subscription',
  AuthenticationFailed: UNKNOWN,
  AuthorizationFailure: FIREWALL,
  AuthorizationPermissionMismatch: FORBIDDEN,
  AuthorizationProtocolMismatch: TOKEN,
  AuthorizationResourceTypeMismatch: TOKEN,
  AuthorizationServiceMismatch: TOKEN,
  AuthorizationSourceIPMismatch: TOKEN,
  InsufficientAccountPermissions: FORBIDDEN,
  InvalidAuthenticationInfo: UNKNOWN,
  KeyBasedAuthenticationNotPermitted:
    "the account does not accept shared keys; to use this machine's identity, pass the account's address (https://<account>.table.core.windows.net)",
  NoAuthenticationInformation: UNKNOWN,
};

/**
 * Turns a service error, whose body is JSON or XML, into a readable error; returns any other error unchanged.
 * @param redact hides secrets that the service may have repeated in its message
 */
export function inWords(
  error: unknown,
  table: string,
  account: Caller,
  redact: (text: string) => string = (text) => text,
): unknown {
  if (!isServiceError(error) || error instanceof ServiceRefusal) return error;
  const code = codeOf(error);
  return new ServiceRefusal(redact(sentence(error, code, table, account)), error, code);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && typeof (error as Partial<ServiceError>).statusCode === 'number';
}

function sentence(error: ServiceError, code: string | undefined, table: string, account: Caller): string {
  const { statusCode } = error;
  if (code === 'TableNotFound')
    return `the account has no table ${table}; create the table first, with 'terraform apply'`;
  if (statusCode === 401 || statusCode === 403) {
    return `the account refuses access to ${table} (${code ?? `HTTP ${statusCode}`}): ${reasonFor(code, account)}`;
  }
  const words = error.details?.odataError?.message?.value;
  const said = typeof words === 'string' ? `: ${words.split('\n')[0]}` : '';
  return `the account responds to the request for ${table} with ${[`HTTP ${statusCode}`, code].filter(Boolean).join(' ')}${said}`;
}

function reasonFor(code: string | undefined, { url, credential }: Caller): string {
  // An emulator has no firewall, but refuses a wrong key with the code that a firewall would return.
  const isEmulated = url.endsWith(`/${EMULATED.account}`);
  const reason =
    code === 'AuthorizationFailure' && isEmulated
      ? UNKNOWN
      : (code !== undefined && Object.hasOwn(REASONS, code) && REASONS[code]) || FORBIDDEN;
  return typeof reason === 'string' ? reason : reason[credential.kind];
}
