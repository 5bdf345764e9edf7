import { type Collection, rowsOf } from '../rows';
import type { Cursor, ItemView, KeptItems, PageData, RowsView, RunView, SystemView } from '../view';

/** What the address selects. */
export interface Route {
  readonly system?: string;
  readonly view: string;
  readonly names: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [system, view = 'overview', ...names] = path
    .split('/')
    .filter((step) => step !== '')
    .map(decoded);
  return {
    ...(system === undefined ? {} : { system }),
    view,
    names,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Decodes a segment of the path. If the segment cannot be decoded, returns it unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function href(names: readonly (string | undefined)[], query: Readonly<Record<string, string>> = {}): string {
  const path = names
    .filter((name) => name !== undefined)
    .map(encodeURIComponent)
    .join('/');
  const text = new URLSearchParams(query).toString();
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

export const links = {
  system: ({ name }: Named) => href([name]),
  place: ({ name }: Named, table: string, index?: string, query = {}) => href([name, 'table', table, index], query),
  pattern: ({ name }: Named, table: string, pattern: string, values?: object, cursor?: string) =>
    href([name, 'pattern', table, pattern], { ...withValues(values), ...(cursor === undefined ? {} : { cursor }) }),
  procedure: ({ name }: Named, procedure: string, values?: object) =>
    href([name, 'procedure', procedure], withValues(values)),
  entity: ({ name }: Named, table: string, entity: string) => href([name, 'entity', table, entity]),
  map: ({ name }: Named, table: string, entity?: string) =>
    href([name, 'map', table], entity === undefined ? {} : { entity }),
  view: ({ name }: Named, view: string) => href([name, view]),
};

function withValues(values: object | undefined): Readonly<Record<string, string>> {
  return values === undefined ? {} : { values: JSON.stringify(values) };
}

/**
 * Returns the values in an address or, if a user has edited the address so that they are invalid, what is wrong with
 * them.
 */
export function valuesIn(text: string | undefined): { readonly values?: object; readonly problem?: string } {
  if (text === undefined) return {};
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) return { values };
  } catch {
    // Text that is not JSON is reported below, like any other value that is not an object.
  }
  return { problem: `The values in the address are not a JSON object, so nothing was run: ${text}` };
}

type Named = Pick<SystemView, 'name'>;

/** Where the page gets items and results from. */
export interface Source {
  rows(
    system: string,
    table: string,
    index: string | undefined,
    look: { cursor?: Cursor | undefined; filter: string },
  ): Promise<RowsView>;
  /** @default - no pattern can be run */
  run?(system: string, name: string, values: object, cursor?: string): Promise<RunView>;
}

export function sourceOf({ token, items = {} }: PageData): Source {
  if (token === undefined)
    return { rows: async (system, table, index, look) => keptRows(items[system]?.[table], index, look) };
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', 'x-tablewright-token': token };
    let response: Response;
    try {
      response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    } catch {
      throw new Error(
        'the command that serves this page is no longer running; start it again, and open the address that it prints',
      );
    }
    const answer = (await response.json()) as T & { readonly error?: unknown };
    if (!response.ok) throw new Error(String(answer.error));
    return answer;
  };
  return {
    rows: (system, table, index, look) => ask('/rows', { system, table, index, ...look }),
    run: (system, name, values, cursor) => ask('/run', { system, name, values, cursor }),
  };
}

/** Returns a page of a static site's items. */
export function keptRows(kept: KeptItems | undefined, index: string | undefined, look: object) {
  const partitions = (kept?.orders[index ?? ''] ?? []).map(([key, ids]) => ({
    key,
    rows: ids.map((id) => kept?.items[id] as ItemView),
  }));
  const collection: Collection = { partitions, size: partitions.reduce((sum, { rows }) => sum + rows.length, 0) };
  return rowsOf(collection, look);
}
