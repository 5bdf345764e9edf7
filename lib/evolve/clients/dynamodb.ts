import { tableNameOf } from '../../blueprint/names';
import { outline } from '../../blueprint/outline';
import { stored } from '../../blueprint/stored';
import type { TableDesign } from '../../design/table';
import { type ClientOptions, client, type Evolving } from '../../dynamodb/client';
import type { Send } from '../../dynamodb/sending';
import { unique } from '../../dynamodb/unique';
import { written } from '../../dynamodb/written';
import { withoutEarly } from './early';
import { movingClient } from './moving';
import { sendingIn } from './sending';
import type { Calls } from './two-places';
import { withoutClaims } from './unclaimed';
import { callsOf, type EvolvingProps, isExpanding, placesOf, underWay } from './under-way';

export type { EvolvingProps };

/**
 * Prepares a client for a plan that is under way. The client finds items under the old or the new key, reads them in
 * the form of the new design, and writes items that the previous release understands. How it does so depends on the
 * plan's step.
 */
export function evolving(props: EvolvingProps): Evolving {
  const under = underWay(props, 'aws');
  const { lock, plan, phase, system, table: tableOf, formerTable } = under;
  return (table: TableDesign, tableName: string, send: Send, given: ClientOptions): object => {
    const way = tableOf(table.name);
    const arriving = plan.items.filter(({ to }) => to?.table === table.name);
    const options = { ...given, unique: isExpanding(phase) ? withoutClaims(arriving) : unique, written, stored };
    if (way === undefined) return client(table, tableName, send, options);
    const { transition, after } = way;
    const plain = () => client(after, tableName, send, options) as unknown as Calls;
    const { former, now } = placesOf(
      way,
      send,
      tableName,
      (name) => formerTable(name) ?? tableNameOf(system, lock.environment, name),
    );
    if (phase.code.reads === 'new') {
      const design = phase.code.writes === 'new' ? after : transition.now;
      return callsOf(way, client(design, tableName, sendingIn({ ...now, form: design }), options), plain);
    }
    const isOld = isExpanding(phase);
    const { form } = isOld ? former : now;
    const calls = transition.moves
      ? movingClient(outline(after), former, now, isOld, options)
      : client(form, tableName, sendingIn({ ...now, form }), options);
    return callsOf(way, withoutEarly(calls as Calls, under, way), plain);
  };
}
