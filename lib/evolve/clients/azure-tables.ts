import { type ClientOptions, client, type Evolving } from '../../azure-tables/client';
import { readEntity } from '../../azure-tables/entity';
import type { Send } from '../../azure-tables/sender';
import { outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import { movingClient } from './azure-moving';
import { sendingIn } from './azure-sending';
import { sieving } from './azure-sieves';
import { withoutEarly } from './early';
import type { Calls } from './two-places';
import { callsOf, type EvolvingProps, isExpanding, placesOf, underWay } from './under-way';

export type { EvolvingProps };

/**
 * Prepares a client for a plan that is under way. The client finds items under the old or the new key, reads them in
 * the form of the new design, and writes items that the previous release understands. How it does so depends on the
 * plan's step.
 */
export function evolving(props: EvolvingProps): Evolving {
  const under = underWay(props, 'azure', readEntity);
  const { plan, phase, table: tableOf, formerTable } = under;
  return (table: TableDesign, tableName: string, send: Send, options: ClientOptions): object => {
    const way = tableOf(table.name);
    if (way === undefined) return client(table, tableName, send, options);
    const { transition, after } = way;
    const plain = () => client(after, tableName, send, options) as unknown as Calls;
    const { former, now } = placesOf(way, send, tableName, (name) => formerTable(name) ?? name);
    if (phase.code.reads === 'new') {
      const design = phase.code.writes === 'new' ? after : transition.now;
      return callsOf(way, client(design, tableName, sendingIn({ ...now, form: design }), options), plain);
    }
    const isOld = isExpanding(phase);
    const calls = sieving(outline(after), plan.items, (unfiltered) => {
      if (transition.moves) return movingClient(outline(after), unfiltered(former), unfiltered(now), isOld, options);
      const place = unfiltered(isOld ? { ...now, form: former.form } : now);
      return client(place.form, tableName, sendingIn(place), options);
    });
    return callsOf(way, withoutEarly(calls, under, way), plain);
  };
}
