import { codeOf } from '../errors';
import { type Account, type Credential, EMULATED } from './account';

/** A refusal by the service, in a sentence. The fields that decisions depend on are the SDK's. */
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

const FIREWALL = 'its firewall lets in only listed addresses and networks; run this from one of them';
const ROLE =
  'you need the role Storage Table Data Reader to read, or Contributor to write; a new role may take minutes to apply';
const TOKEN = 'the SAS token has expired, is truncated, or does not allow this; create a new one';

/** The credential is not accepted. */
const UNKNOWN: Readonly<Record<Kind, string>> = {
  key: 'the account key is not one of its keys; copy the connection string again',
  token: TOKEN,
  identity: 'it does not know the identity of this machine; sign in to the tenant of the account',
};

/** The credential is accepted, but does not allow this. */
const FORBIDDEN: Readonly<Record<Kind, string>> = {
  key: 'the account key is accepted, but not allowed to do this',
  token: TOKEN,
  identity: ROLE,
};

/** Why an account refuses a request, by its error code, and what to do about it. */
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
    'it does not accept a shared key; give its address (https://<account>.table.core.windows.net), for the identity of this machine',
  NoAuthenticationInformation: UNKNOWN,
};

/**
 * A refusal by the service in a sentence, instead of its JSON or XML; any other error stays as it is.
 * @param redact hides secrets that the service may have repeated
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
    return `there is no table ${table} in the account; create it first, with 'terraform apply'`;
  if (statusCode === 401 || statusCode === 403) {
    return `the account refuses ${table} (${code ?? `HTTP ${statusCode}`}): ${reasonFor(code, account)}`;
  }
  const words = error.details?.odataError?.message?.value;
  const said = typeof words === 'string' ? `: ${words.split('\n')[0]}` : '';
  return `the account answers ${table} with ${[`HTTP ${statusCode}`, code].filter(Boolean).join(' ')}${said}`;
}

function reasonFor(code: string | undefined, { url, credential }: Caller): string {
  // An emulator has no firewall, but answers a wrong key with the same code as a firewall.
  const isEmulated = url.endsWith(`/${EMULATED.account}`);
  const reason =
    code === 'AuthorizationFailure' && isEmulated
      ? UNKNOWN
      : (code !== undefined && Object.hasOwn(REASONS, code) && REASONS[code]) || FORBIDDEN;
  return typeof reason === 'string' ? reason : reason[credential.kind];
}
