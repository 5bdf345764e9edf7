import { codeOf } from '../errors';
import { type Account, type Credential, EMULATED } from './account';

/** What the service refused, in a sentence. What decisions are made on is as the SDK gave it. */
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

/** Who was asked, and with what. */
type Asked = Pick<Account, 'url' | 'credential'>;

const FIREWALL = 'its firewall lets in only listed addresses and networks; run this from one of them';
const ROLE =
  'you need the role Storage Table Data Reader to read, or Contributor to write; a new role may take minutes to apply';
const TOKEN = 'the SAS token has expired, is truncated, or does not allow this; create a new one';

/** What is asked with is not accepted. */
const UNKNOWN: Readonly<Record<Kind, string>> = {
  key: 'the account key is not one of its keys; copy the connection string again',
  token: TOKEN,
  identity: 'it does not know the identity of this machine; sign in to the tenant of the account',
};

/** What is asked with is accepted, and may not do this. */
const FORBIDDEN: Readonly<Record<Kind, string>> = {
  key: 'the account key is accepted, but not allowed to do this',
  token: TOKEN,
  identity: ROLE,
};

/** Why an account says no, by its code, and what to do about it. */
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
 * What the service refused, in a sentence instead of its JSON or XML; whatever else it was stays as it is.
 * @param redact hides what the service may have repeated of what it was asked with
 */
export function inWords(
  error: unknown,
  table: string,
  account: Asked,
  redact: (text: string) => string = (text) => text,
): unknown {
  if (!isServiceError(error) || error instanceof ServiceRefusal) return error;
  const code = codeOf(error);
  return new ServiceRefusal(redact(sentence(error, code, table, account)), error, code);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && typeof (error as Partial<ServiceError>).statusCode === 'number';
}

function sentence(error: ServiceError, code: string | undefined, table: string, account: Asked): string {
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

function reasonFor(code: string | undefined, { url, credential }: Asked): string {
  // An emulator has no firewall, and its word for a wrong key is that of one.
  const isEmulated = url.endsWith(`/${EMULATED.account}`);
  const reason =
    code === 'AuthorizationFailure' && isEmulated
      ? UNKNOWN
      : (code !== undefined && Object.hasOwn(REASONS, code) && REASONS[code]) || FORBIDDEN;
  return typeof reason === 'string' ? reason : reason[credential.kind];
}
