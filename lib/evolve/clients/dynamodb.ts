import { tableNameOf } from '../../blueprint/names';
import { outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import { type ClientOptions, client, type Evolving } from '../../dynamodb/client';
import type { Send } from '../../dynamodb/sending';
import { movingClient } from './moving';
import { sendingIn } from './sending';
import { type EvolvingProps, isExpanding, placesOf, underWay } from './under-way';

export type { EvolvingProps };

/**
 * Makes a client fit for a plan that is under way: it reads old items in the form of the new design, under either key, and writes
 * what the release before understands. Which of these it does depends on the step alone.
 */
export function evolving(props: EvolvingProps): Evolving {
  const { lock, phase, system, table: tableOf, formerTable } = underWay(props, 'aws');
  return (table: TableDesign, tableName: string, send: Send, options: ClientOptions): object => {
    const way = tableOf(table.name);
    if (way === undefined) return client(table, tableName, send, options);
    const { transition, after } = way;
    const { former, now } = placesOf(
      way,
      send,
      tableName,
      (name) => formerTable(name) ?? tableNameOf(system, lock.environment, name),
    );
    if (phase.code.reads === 'new') {
      const design = phase.code.writes === 'new' ? after : transition.now;
      return client(design, tableName, sendingIn({ ...now, form: design }), options);
    }
    const isOld = isExpanding(phase);
    if (transition.moves) return movingClient(outline(after), former, now, isOld, options);
    const { form } = isOld ? former : now;
    return client(form, tableName, sendingIn({ ...now, form }), options);
  };
}
