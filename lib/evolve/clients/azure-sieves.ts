import { etagOf, keepEtag } from '../../azure-tables/etag';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { entitiesNamed, type TableOutline } from '../../blueprint/outline';
import type { Condition, PatternDesign, QueryPattern, ScanPattern } from '../../design/pattern';
import { failedTests } from '../../items/failed-tests';
import type { Item } from '../../items/item';
import { paged } from '../../items/pages';
import type { Page } from '../../items/result';
import type { ItemChange } from '../plan/plan';
import type { Place } from './azure-sending';
import type { Call, Calls } from './two-places';

/**
 * Wraps a client so that its filters also work for old items. An old item may lack the attribute that a filter tests,
 * or have it under a different name. The service sees only the old form of such an item, so the client filters the
 * items after reading them.
 * @param make creates the client; its parameter is a function that removes from a place the filters that the client
 * applies itself
 */
export function sieving(
  target: TableOutline,
  changes: readonly ItemChange[],
  make: (unfiltered: (place: Place) => Place) => object,
): Calls {
  const changed = new Set(changes.flatMap(({ to }) => (to?.table === target.name ? [to.entity] : [])));
  const sieved = new Map(
    target.patterns.flatMap(({ name, design }) => (isSieved(design, changed) ? [[name, design]] : [])),
  );
  const calls = make(({ form, ...place }) => ({
    ...place,
    form: {
      ...form,
      patterns: Object.fromEntries(
        Object.entries(form.patterns ?? {}).map(([name, pattern]) => [
          name,
          sieved.has(name) ? withoutFilter(pattern as QueryPattern) : pattern,
        ]),
      ),
    },
  })) as Calls;
  const all = Object.entries(calls).map(([name, call]) => {
    const design = sieved.get(name);
    return [name, design === undefined ? call : sieve(target, design, call)];
  });
  return Object.fromEntries(all);
}

type Filtering = (QueryPattern | ScanPattern) & { readonly filter: Condition };

function isSieved(design: PatternDesign, changed: ReadonlySet<string>): design is Filtering {
  return (
    (design.op === 'query' || design.op === 'scan') &&
    design.filter !== undefined &&
    design.returns.some((entity) => changed.has(entity))
  );
}

const KEYS: readonly string[] = Object.values(AZURE_TABLES.key);

/**
 * Returns a pattern that reads whole items and keeps only the filters on keys, which the service can still apply; the
 * client applies all other filters.
 */
function withoutFilter({ filter = {}, select: _, ...pattern }: QueryPattern): PatternDesign {
  const kept = Object.entries(filter).filter(([path]) => KEYS.includes(path));
  return { ...pattern, ...(kept.length === 0 ? {} : { filter: Object.fromEntries(kept) }) } as PatternDesign;
}

function sieve(target: TableOutline, design: Filtering, call: Call): Call {
  const entities = entitiesNamed(target, design.returns);
  const tests = Object.fromEntries(Object.entries(design.filter).filter(([path]) => !KEYS.includes(path))) as Condition;
  const select = 'select' in design ? design.select : undefined;
  const read: Call = async (values, given) => {
    const page = (await call(values, given)) as Page<Item>;
    const items = page.items.filter((item) => failedTests(tests, entities, item, values ?? {}).length === 0);
    return { ...page, items: select === undefined ? items : items.map((item) => selected(target, select, item)) };
  };
  return Object.assign(read, paged(read as never, true));
}

function selected({ typeAttribute }: TableOutline, select: readonly string[], item: Item): Item {
  const names = typeAttribute === undefined ? select : [...select, typeAttribute];
  const selection = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
  keepEtag(selection, etagOf(item));
  return selection;
}
