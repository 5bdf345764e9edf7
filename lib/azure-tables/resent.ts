import { AS_STORED, type AzureCall, type AzureOutput, type BatchAction } from './calls';
import type { Entity } from './edm';
import { propertiesIn } from './entity';
import { isMissing } from './errors';

/** The part of the SDK's request pipeline that this file uses; every request goes through the pipeline. */
export interface PipelineLike {
  addPolicy(policy: never, options?: { readonly afterPhase?: 'Retry' }): void;
}

/** Requests that may have succeeded although at least one attempt to send them got no response. */
const unanswered = new WeakSet<object>();

/**
 * Records a request if an attempt to send it gets no response. Ignores attempts that the service refused, for example
 * by throttling, because they wrote nothing.
 */
const NOTING = {
  name: 'tablewright-unanswered',
  async sendRequest<R extends object, A extends { readonly status: number }>(
    request: R,
    next: (request: R) => Promise<A>,
  ): Promise<A> {
    let isRefused = false;
    try {
      const answer = await next(request);
      isRefused = answer.status < 500 || answer.status === BUSY;
      return answer;
    } finally {
      if (!isRefused) unanswered.add(request);
    }
  },
};

/** The status of a throttled request, which wrote nothing. */
const BUSY = 503;

/** Watches how each attempt ends, because the SDK silently retries a request that timed out. */
export function watchAttempts(pipeline: PipelineLike | undefined): void {
  pipeline?.addPolicy(NOTING as never, { afterPhase: 'Retry' });
}

type Read = (partitionKey: string, rowKey: string, options: typeof AS_STORED) => Promise<object>;

/**
 * If the service refused a write only because an earlier attempt had succeeded and its response was lost, returns the
 * result of that attempt. Otherwise, returns undefined: the refusal stands. In particular, if every attempt got a
 * response, another caller must have written the stored entity.
 */
export async function doneBefore(read: Read, call: AzureCall, error: unknown): Promise<AzureOutput | undefined> {
  const { request, statusCode } = (error ?? {}) as { readonly request?: object; readonly statusCode?: number };
  if (request === undefined || !unanswered.has(request) || ![404, 409, 412].includes(statusCode ?? 0)) return;
  const etags: string[] = [];
  for (const action of actionsOf(call)) {
    const [kind, entity, mode] = action;
    const there = await read(entity.partitionKey, entity.rowKey, AS_STORED).catch((failure) => {
      if (!isMissing(failure)) throw failure;
      return undefined;
    });
    if (kind === 'delete' ? there !== undefined : there === undefined || !isWritten(entity, there, mode)) return;
    etags.push((there as { readonly etag?: string } | undefined)?.etag ?? '');
  }
  if (call.method === 'submitTransaction') return { etags };
  return etags[0] === '' ? {} : { etag: etags[0] as string };
}

type Action = readonly [BatchAction[0], Pick<Entity, 'partitionKey' | 'rowKey'>, ('Merge' | 'Replace')?, ...unknown[]];

/** Returns the writes of a call; a read has none. */
function actionsOf(call: AzureCall): readonly Action[] {
  switch (call.method) {
    case 'createEntity':
      return [['create', call.args[0]]];
    case 'updateEntity':
      return [['update', call.args[0], call.args[1]]];
    case 'deleteEntity':
      return [['delete', { partitionKey: call.args[0], rowKey: call.args[1] }]];
    case 'submitTransaction':
      return call.args[0];
    default:
      return [];
  }
}

/** Whether an entity has all properties of a write and, unless the write was a merge, no other properties. */
function isWritten(given: object, there: object, mode: 'Merge' | 'Replace' = 'Replace'): boolean {
  const [written, stored] = [propertiesOf(given), propertiesOf(there)];
  if (mode === 'Replace' && written.size !== stored.size) return false;
  return [...written].every(([name, value]) => stored.get(name) === value);
}

/** The properties of an entity, each as a canonical string. */
export function propertiesOf(entity: object): ReadonlyMap<string, string> {
  const own = propertiesIn(entity).filter(([, value]) => value !== undefined && value !== null);
  return new Map(own.map(([name, value]) => [name, textOf(value)]));
}

/** A property as a canonical string, independent of how the SDK or the service formats it. */
function textOf(property: unknown): string {
  if (property instanceof Uint8Array) return btoa(String.fromCharCode(...property));
  if (typeof property !== 'object' || property === null || !('type' in property) || !('value' in property))
    return String(property);
  const { type, value } = property;
  if (type === 'Double') return String(Number(value));
  // Removes trailing zeros, because the service may append zeros to a time.
  return type === 'DateTime'
    ? String(value)
        .replace(/\.(\d*?)0*Z$/, '.$1Z')
        .replace('.Z', 'Z')
    : String(value);
}
