import { tableNameOf } from '../../blueprint/names';
import { outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import { type ClientOptions, client, type Evolving } from '../../dynamodb/client';
import type { Send } from '../../dynamodb/sending';
import { movingClient } from './moving';
import { sendingIn } from './sending';
import { type EvolvingProps, isExpanding, underWay } from './under-way';

export type { EvolvingProps };

/**
 * What a client needs while a plan is under way: it reads old items as the new design has them, under either key, and writes
 * so that the release before understands it. Which of that it does depends on the step alone.
 */
export function evolving(props: EvolvingProps): Evolving {
  const { lock, phase, system, table: tableOf } = underWay(props, 'aws');
  return (table: TableDesign, tableName: string, send: Send, options: ClientOptions): object => {
    const way = tableOf(table.name);
    if (way === undefined) return client(table, tableName, send, options);
    const { transition, formerName, after } = way;
    const formerTable =
      formerName === table.name
        ? tableName
        : (props.formerTables?.[formerName] ??
          lock.tables[formerName]?.resources.physicalName ??
          tableNameOf(system, lock.environment, formerName));
    const now = { ...way, send, form: transition.now, table: after.name, tableName };
    if (phase.code.reads === 'new') {
      const design = phase.code.writes === 'new' ? after : transition.now;
      return client(design, tableName, sendingIn({ ...now, form: design }), options);
    }
    const former = { ...way, send, form: transition.old, table: formerName, tableName: formerTable };
    const isOld = isExpanding(phase);
    if (transition.moves) return movingClient(outline(after), former, now, isOld, options);
    const { form } = isOld ? former : now;
    return client(form, tableName, sendingIn({ ...now, form }), options);
  };
}
