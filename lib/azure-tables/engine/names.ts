/** The prefix for a property name that the SDK would lose or confuse with one of its own names. */
const MARK = 'stored:';

/**
 * Names that the SDK uses for the keys and for service properties, and `__proto__`, which an assignment would treat as
 * the prototype.
 */
const TAKEN: ReadonlySet<string> = new Set(['partitionKey', 'rowKey', 'timestamp', 'etag', '__proto__']);

/** The `odata.` properties that the service adds. */
const OF_SERVICE = /^odata\.(metadata|type|id|etag|editLink|nextLink|count|error)$/;

const TYPE = '@odata.type';

/** Matches a name in JSON. Also matches other quoted strings, which `renamed` leaves unchanged. */
const TOKENS = /"((?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"/g;

/** Marks the names in a response that the SDK would lose, such as `timestamp` next to the service's `Timestamp`. */
export function withMarkedNames(json: string): string {
  return renamed(json, marked);
}

/**
 * Removes the marks from the names in a request body, which contains one entity, or a batch with one entity per line.
 */
export function withoutMarks(body: string): string {
  if (!body.includes(MARK)) return body;
  return body.replace(/^\{.*$/gm, (line) => renamed(line, unmarked));
}

function renamed(json: string, rename: (name: string) => string): string {
  return json.replace(TOKENS, (token, quoted: string | undefined) => {
    if (quoted === undefined) return token;
    const whole = JSON.parse(`"${quoted}"`) as string;
    const isType = whole.endsWith(TYPE);
    const name = isType ? whole.slice(0, -TYPE.length) : whole;
    const other = rename(name);
    return other === name ? token : JSON.stringify(isType ? `${other}${TYPE}` : other);
  });
}

/** The property's name, marked if the SDK would otherwise lose it. */
export function marked(name: string): string {
  const isUnsafe =
    TAKEN.has(name) ||
    name.startsWith(MARK) ||
    name.includes(TYPE) ||
    (name.startsWith('odata.') && !OF_SERVICE.test(name));
  return isUnsafe ? `${MARK}${encodeURIComponent(name)}` : name;
}

/** The property's stored name, without the mark. */
export function unmarked(name: string): string {
  return name.startsWith(MARK) ? decodeURIComponent(name.slice(MARK.length)) : name;
}
