import type { Sent } from '../../engine/sent';
import type { AzureCall, BatchAction } from '../calls';
import type { RawEntity } from '../edm';
import type { Send } from '../sender';

/** Passes every call to `seen` once the call has succeeded or failed. */
export function reporting(send: Send, seen: (sent: Sent) => void): Send {
  return async (tableName, call) => {
    const isRead = call.method === 'getEntity' || call.method === 'listEntities';
    const limit = 'page' in call ? call.page.maxPageSize : undefined;
    const touched = touchedBy(call).map((key) => ({ tableName, key }));
    const about = {
      command: call.method,
      input: call.args,
      isRead,
      ...(limit === undefined ? {} : { limit }),
      touched,
    };
    try {
      const output = await send(tableName, call);
      const items = output.entity === undefined ? (output.entities ?? []) : [output.entity];
      seen({ ...about, read: isRead ? [{ tableName, items }] : [] });
      return output;
    } catch (error) {
      seen({ ...about, read: [] });
      throw error;
    }
  };
}

/** The keys of all rows that a call writes. */
function touchedBy(call: AzureCall): readonly RawEntity[] {
  switch (call.method) {
    case 'getEntity':
    case 'listEntities':
      return [];
    case 'deleteEntity':
      return [{ partitionKey: call.args[0], rowKey: call.args[1] }];
    case 'submitTransaction':
      return (call.args[0] as BatchAction[]).map(([, entity]) => keyIn(entity));
    default:
      return [keyIn(call.args[0])];
  }
}

function keyIn({ partitionKey, rowKey }: RawEntity): RawEntity {
  return { partitionKey, rowKey };
}
