import { etagOf } from '../../azure-tables/etag';
import type { PatternBlueprint } from '../../blueprint/outline';
import type { DeletePattern, PutPattern, UpdatePattern } from '../../design/pattern';
import type { CodeForm } from '../../evolve';
import type { Item } from '../../items/item';
import { deleting, updating } from './changing';
import type { Known, Logical, Model } from './model';
import { type Call, waysTo } from './reach';
import { putOf } from './stamps';
import { samplesOf, variant } from './variants';

/** A running release, with its patterns. `side` says whether the release uses the old or the new design. */
export interface Release {
  readonly name: string;
  readonly side: 'old' | 'now';
  readonly code: CodeForm;
  readonly calls: Readonly<Record<string, Call>>;
  /** The patterns that have been called successfully since this set was last cleared. */
  readonly called: Set<string>;
  /** Whether the release stores items in a form that the old release can read. @default false */
  readonly writesOld?: boolean;
  /** Whether the release may call a pattern: a new pattern must wait for the switch. */
  may(pattern: string): boolean;
}

/** The number of writes that a release sent, and the first write that failed. */
export interface Written {
  readonly count: number;
  readonly failure?: string;
}

/**
 * Exercises a release on every entity that it can put. For each combination of indexes that an item can be in, the
 * release puts a few items. It then sends every possible update, both to one of its own items and to an item that
 * another release may have written. Finally, it deletes one item of each of these two kinds.
 */
export async function work(release: Release, model: Model, tag: string): Promise<Written> {
  const worker = new Worker(release, model, tag);
  const samples = samplesOf(model, release.side, release.code.writes === 'new');
  for (const [i, sample] of samples.entries()) {
    const failure = await worker.workOn(sample, i);
    if (failure !== undefined) return { count: worker.count, failure };
  }
  return { count: worker.count };
}

class Worker {
  public count = 0;

  public constructor(
    private readonly release: Release,
    private readonly model: Model,
    private readonly tag: string,
  ) {}

  public async workOn(sample: Known, nth: number): Promise<string | undefined> {
    const { model, release } = this;
    const { table, entity } = sample;
    const own = table.patterns.filter(({ name }) => release.may(name));
    const of = (op: string) =>
      own.filter(({ design }) => design.op === op && (design as UpdatePattern).entity === entity.name);
    const put = of('put').find(({ design }) => isPlain(design as PutPattern));
    const isKnown = ({ isSeed, [release.side]: known }: Logical) => isSeed !== true && known?.entity === entity;
    // The oldest item was most likely written by another release, in the old form.
    const there = model.items.filter(isKnown);
    // The newest item with the same attributes as the sample. All running releases change the oldest item, but only one
    // of them changes this item.
    const names = Object.keys(sample.values).sort().join();
    const alike = there.findLast(
      ({ [release.side]: known }) => known && Object.keys(known.values).sort().join() === names,
    );
    // One item stays unchanged, one is updated, and one is deleted.
    const tags = put === undefined ? [] : nth === 0 ? ['a', 'b', 'c'] : ['a', 'b'];
    const written: Logical[] = [];
    for (const tag of tags) {
      const item = await this.put(put as PatternBlueprint, sample, `${this.tag}${nth}${tag}`);
      if (typeof item === 'string') return item;
      if (item !== undefined) written.push(item);
    }
    for (const pattern of of('update')) {
      for (const item of [written[1], there[0], alike]) {
        const failure = item && (await this.update(pattern, item));
        if (failure !== undefined) return failure;
      }
    }
    const replacing = of('put').find(({ design }) => isReplacing(design as PutPattern));
    for (const item of replacing === undefined ? [] : [written[1], there[0], alike]) {
      const failure = item && (await this.replace(replacing as PatternBlueprint, item));
      if (failure !== undefined) return failure;
    }
    // Leaves some items for later releases to work on.
    const doomed = [written[2], there.length > LEFT ? there[1] : undefined];
    const deletes = of('delete');
    for (const [i, item] of doomed.entries()) {
      const pattern = deletes[(nth + i) % deletes.length];
      const failure = item && pattern && (await this.delete(pattern, item));
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  private async put(pattern: PatternBlueprint, sample: Known, tag: string): Promise<Logical | string | undefined> {
    const { model, release } = this;
    const { table, entity } = sample;
    const values = variant(model, sample, tag);
    if (values === undefined) return undefined;
    const { given, stored } = putOf({ ...sample, values });
    const failure = await this.attempt(pattern.name, given, `a new ${entity.name}`);
    if (failure !== undefined) return failure;
    const label = `${entity.name} put by ${release.name} in ${tag}`;
    if (release.side === 'old') return model.addOld(table.name, entity.name, stored, label);
    return model.addNew(table.name, entity.name, stored, label, release.writesOld);
  }

  /**
   * Puts an item as the release reads it, so that the item loses every attribute that is not in the release's design.
   */
  private async replace(pattern: PatternBlueprint, item: Logical): Promise<string | undefined> {
    const { side, writesOld } = this.release;
    const { given, stored } = putOf(item[side] as Known);
    const failure = await this.attempt(pattern.name, given, item.label);
    if (failure === undefined) this.model.set(item, side, stored, side === 'old' || writesOld);
    return failure;
  }

  private async update(pattern: PatternBlueprint, item: Logical): Promise<string | undefined> {
    const { side } = this.release;
    const call = updating(pattern, item, item[side] as Known, this.tag);
    if (call === undefined) return undefined;
    const { unchanged } = pattern.design as UpdatePattern;
    const failure = await this.attempt(pattern.name, call.values, item.label, unchanged ? item[side] : undefined);
    if (failure !== undefined) return failure;
    this.model.set(item, side, call.set, side === 'old' || this.release.writesOld);
    return undefined;
  }

  private async delete(pattern: PatternBlueprint, item: Logical): Promise<string | undefined> {
    const known = item[this.release.side] as Known;
    const values = deleting(pattern, known);
    if (values === undefined) return undefined;
    const { unchanged } = pattern.design as DeletePattern;
    const failure = await this.attempt(pattern.name, values, item.label, unchanged ? known : undefined);
    if (failure === undefined) this.model.delete(item);
    return failure;
  }

  private async attempt(name: string, values: object, label: string, unchanged?: Known): Promise<string | undefined> {
    this.count++;
    const { release } = this;
    try {
      await (release.calls[name] as Call)(values, unchanged && (await etagFor(release, unchanged)));
      return undefined;
    } catch (error) {
      const { name: kind, message } = error as Error;
      return `${label}: ${name}(${JSON.stringify(values)}) of ${release.name} fails: ${kind}: ${message}`;
    }
  }
}

/** A release deletes another release's item only if the entity has more items than this. */
const LEFT = 3;

/** Whether a put overwrites any item that has the same key. */
function isReplacing(put: PutPattern): boolean {
  return isPlain(put) && put.replace === true;
}

export function isPlain({ item, condition, unchanged }: PutPattern): boolean {
  return item === undefined && condition === undefined && unchanged !== true;
}

/** Reads an item's ETag, for a write that requires the item to be unchanged. */
async function etagFor({ calls, may }: Release, known: Known): Promise<{ readonly etag?: string }> {
  const gets = known.table.patterns.flatMap(({ name, design }) => (design.op === 'get' && may(name) ? [name] : []));
  const way = waysTo(known).find(({ pattern }) => gets.includes(pattern));
  const etag = way && etagOf((await (calls[way.pattern] as Call)(way.values)) as Item | undefined);
  return etag === undefined ? {} : { etag };
}
