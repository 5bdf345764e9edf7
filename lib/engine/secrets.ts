/** The text that replaces a secret. */
const HIDDEN = '***';

/** A part of a secret is hidden if it has at least this many characters, because showing it would reveal too much. */
const PART = 6;

/** A shorter secret could occur in any text by chance, so it is hidden only together with the text around it. */
const SHORTEST = 4;

/**
 * Returns a function that hides secrets in a string: everything that looks like a secret, and every secret found in the
 * given strings.
 */
export function redactor(given: readonly string[], endpoints: readonly string[] = []): (text: string) => string {
  const whole = [...given, ...endpoints].filter((text) => secretsIn(text).length > 0);
  const parts = [
    ...given.flatMap(secretsIn),
    ...endpoints.flatMap((text) => (isPlain(text) ? [] : withoutPlace(text))),
  ];
  const windows = windowsOf(parts.filter(({ length }) => length >= SHORTEST));
  return (text) => hideParts(hideForms(hide(text, whole)), windows);
}

/** Hides connection strings, tokens, keys, users and passwords, in linear time. */
function hideForms(text: string): string {
  return text
    .replaceAll(/[^'"\n]+/g, (part) =>
      /(?:AccountKey|SharedAccess(?:Signature|Key))\s*=/i.test(part) ? hideFromName(part) : part,
    )
    .replaceAll(/[^\s'"]+/g, hideInWord)
    .replaceAll(NAMED, (_, name: string) => `${name}${HIDDEN}`)
    .replaceAll(AUTHORIZATION, (_, scheme: string) => `${scheme}${HIDDEN}`);
}

/**
 * Matches a name that SDKs or environment variables use for a secret, and the value after it, in text, JSON or a URL.
 */
const NAMED =
  /((?:secret_?access_?key|(?:session|security|access)[-_]?token|client_?secret|amz-signature)["']?\s*[=:]\s*["']?)[\w+/=.%~-]{8,}/gi;

/** Matches the credentials in an `Authorization` header. */
const AUTHORIZATION = /\b((?:Bearer|SharedKey(?:Lite)?)\s+)[\w+/=.:~-]{8,}/gi;

function hideInWord(word: string): string {
  const shown = word.replaceAll(ACCOUNT_KEY, HIDDEN);
  if (/\bsig=/i.test(shown))
    return shown.includes('?') ? `${shown.slice(0, shown.indexOf('?'))}${HIDDEN}` : hideFromName(shown);
  const [user, at] = [shown.indexOf('://'), shown.lastIndexOf('@')];
  return user === -1 || at < user ? shown : `${shown.slice(0, user)}://${HIDDEN}${shown.slice(at)}`;
}

/**
 * Hides the first name that is followed by `=`, and all text after the name. Searches without a regular expression,
 * which would backtrack on a long name.
 */
function hideFromName(text: string): string {
  for (const { name, start } of namesIn(text)) if (name !== '') return `${text.slice(0, start)}${HIDDEN}`;
  return text;
}

/** Yields the name before each '=', even if spaces separate them. */
function* namesIn(text: string): Iterable<{ readonly name: string; readonly start: number }> {
  for (let from = 0, at = text.indexOf('='); at !== -1; from = at + 1, at = text.indexOf('=', from)) {
    const before = text.slice(from, at).trimEnd();
    let start = before.length;
    while (start > 0 && isLetter(before.charCodeAt(start - 1))) start--;
    yield { name: before.slice(start), start: from + start };
  }
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

/** Matches 64 bytes in base64, the format of an account key. */
const ACCOUNT_KEY = /[A-Za-z0-9+/]{86}==/g;

/** Why a string is not a valid engine address, without quoting the string; undefined if the address is valid. */
export function addressProblem(text: string, example = 'http://localhost:8000'): string | undefined {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return `must be a URL such as ${example}`;
  const { username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return `must be a URL without a user name and password, such as ${example}`;
  return /^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(hostname) ? undefined : `must be a URL such as ${example}`;
}

/** The part of an address that messages may show. */
export function shownAddress(text: string): string {
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${/^(\/[\w.-]{0,40})*$/.test(pathname) ? pathname.replace(/\/$/, '') : ''}`;
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** Whether an address contains no secrets. */
function isPlain(endpoint: string): boolean {
  return endpoint === 'aws' || /^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]*)*$/.test(endpoint);
}

/** The secrets in an endpoint string: all parts except those that messages may show. */
function withoutPlace(endpoint: string): readonly string[] {
  const [place = ''] = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]*)*(?=[?#])/.exec(endpoint) ?? [];
  return [...secretsIn(endpoint), ...(isConnection(endpoint) ? [] : [endpoint.slice(place.length)])];
}

/** The parts of a connection string that messages may show, with their expected format. */
const OPEN: Readonly<Record<string, RegExp>> = {
  defaultendpointsprotocol: /^https?$/i,
  accountname: /^[a-z0-9-]{3,50}$/,
  endpointsuffix: /^[a-z0-9.-]+$/i,
  usedevelopmentstorage: /^true$/i,
};

const NAMES_OF_CONNECTION = /Account|Shared|Default|Key|Endpoint|Signature|DevelopmentStorage/i;

/** Recognizes a connection string, even if parts of it are missing or misspelled. */
function isConnection(text: string): boolean {
  for (const { name } of namesIn(text)) if (NAMES_OF_CONNECTION.test(name)) return true;
  return false;
}

/** The secrets in a given text, in their original, decoded and encoded forms. */
function secretsIn(text: string): readonly string[] {
  const found = [
    ...(text.match(ACCOUNT_KEY) ?? []),
    ...groups(text, /\bsig(?:nature)?=([^&\s'";]+)/gi),
    ...userIn(text),
    ...(isConnection(text) ? hiddenPairs(text) : []),
  ];
  return [...new Set(found.flatMap((secret) => [secret, decoded(secret), encodeURIComponent(decoded(secret))]))];
}

/** The user and the password in an address, up to the last '@', because a password may contain any character. */
function userIn(text: string): readonly string[] {
  const [start, end] = [text.indexOf('://') + 3, text.lastIndexOf('@')];
  if (start === 2 || end <= start) return [];
  const user = text.slice(start, end);
  return [user, user.slice(user.indexOf(':') + 1)];
}

function hiddenPairs(text: string): readonly string[] {
  return text.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at === -1) return [pair.trim()];
    const name = pair.slice(0, at).trim().toLowerCase();
    const value = pair.slice(at + 1).trim();
    if (Object.hasOwn(OPEN, name) && (OPEN[name] as RegExp).test(value)) return [];
    return name.endsWith('endpoint') && isPlain(value) ? [] : [value];
  });
}

function groups(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group).filter((group) => group !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Windows = ReadonlyMap<number, ReadonlySet<string>>;

/** Returns the substrings of secrets that must be hidden, keyed by length. */
function windowsOf(secrets: readonly string[]): Windows {
  const windows = new Map<number, Set<string>>();
  for (const secret of secrets) {
    const size = Math.min(PART, secret.length);
    const pieces = windows.get(size) ?? new Set();
    windows.set(size, pieces);
    for (let i = 0; i + size <= secret.length; i++) pieces.add(secret.slice(i, i + size));
  }
  return windows;
}

function hideParts(text: string, windows: Windows): string {
  const isHidden = new Uint8Array(text.length);
  for (const [size, parts] of windows) {
    for (let i = 0; i + size <= text.length; i++) {
      if (parts.has(text.slice(i, i + size))) isHidden.fill(1, i, i + size);
    }
  }
  let shown = '';
  for (let from = 0; from < text.length; ) {
    const end = isHidden.indexOf(1 - (isHidden[from] as number), from);
    const to = end === -1 ? text.length : end;
    shown += isHidden[from] === 0 ? text.slice(from, to) : HIDDEN;
    from = to;
  }
  return shown;
}
