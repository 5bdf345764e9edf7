import { useState } from 'preact/hooks';
import { textOf } from '../rows';
import type { ItemView, PartitionView, PlaceView, SystemView, TableView } from '../view';
import { Entity, isShort, Key } from './parts';

interface Place {
  readonly system: SystemView;
  readonly table: TableView;
  readonly place: PlaceView;
  /** Whether every item is expanded from the start, for readers without JavaScript. */
  readonly isWhole?: boolean;
}

/** Shows items by partition, and highlights the items that were read. */
export function Rows({
  partitions,
  lit,
  ...at
}: Place & { partitions: readonly PartitionView[]; lit?: ReadonlySet<number> }) {
  const { place, table } = at;
  const label = `Items of ${table.name}${place.index === undefined ? '' : `, index ${place.index}`}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class={lit === undefined ? 'items' : 'items has-lit'}>
        <thead>
          <tr>
            <th scope="col">{place.partition.join(' + ')}</th>
            {place.sort.length > 0 && <th scope="col">{place.sort.join(' + ')}</th>}
            <th scope="col">Entity</th>
            <th scope="col">Attributes</th>
          </tr>
        </thead>
        {partitions.map((partition) => (
          <Partition key={textOf(partition.key)} {...at} partition={partition} lit={lit} />
        ))}
      </table>
    </section>
  );
}

function Partition({
  partition,
  lit,
  ...at
}: Place & { partition: PartitionView; lit?: ReadonlySet<number> | undefined }) {
  const { rows, from, of } = partition;
  const { place } = at;
  const left = of - rows.length;
  return (
    <tbody>
      {rows.map((item, i) => (
        <tr key={item.id} class={lit?.has(item.id) ? 'lit' : ''} data-item={item.id}>
          {i === 0 && (
            <th scope="rowgroup" rowSpan={rows.length} class="partition">
              <Keys names={place.partition} item={item} />
              <span class="soft small">
                {left > 0 ? `rows ${from + 1} to ${from + rows.length} of ${of}` : of === 1 ? '1 item' : `${of} items`}
              </span>
            </th>
          )}
          {place.sort.length > 0 && (
            <td class="sort">
              <Keys names={place.sort} item={item} />
            </td>
          )}
          <td>
            <Entity system={at.system} table={at.table} name={item.entity} />
            {lit?.has(item.id) && <span class="visually-hidden">, read</span>}
          </td>
          <td class="attributes">
            <Attributes {...at} item={item} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** Shows the values of a partition key or a sort key. */
function Keys({ names, item }: { names: readonly string[]; item: ItemView }) {
  return (
    <>
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && <span class="soft"> + </span>}
          <Key value={item.attributes[name]} lengths={item.marks[name]} />
        </span>
      ))}
    </>
  );
}

/** Shows the first few of an item's other attributes. Renders the rest only on demand. */
function Attributes({ item, table, place, isWhole = false }: Place & { item: ItemView }) {
  const [isOpen, setOpen] = useState(isWhole);
  const shown = new Set([...place.partition, ...place.sort, table.typeAttribute]);
  const keys = new Set(table.places.flatMap(({ partition, sort }) => [...partition, ...sort]));
  const all = Object.entries(item.attributes).filter(([name]) => !shown.has(name));
  // The keys of other indexes come last, because they say the least about the item.
  const telling = all.filter(([name]) => !keys.has(name));
  const ordered = [...telling, ...all.filter(([name]) => keys.has(name))];
  const first = (telling.length === 0 ? ordered : telling).slice(0, FIRST);
  const isThere = (name: string) => place.projected?.includes(name) ?? true;
  if (ordered.length === 0) return <span class="soft">none</span>;
  return (
    <>
      {!isWhole && (
        <button
          type="button"
          class="more"
          aria-expanded={isOpen}
          aria-label={`All attributes of ${textOf(item.attributes[place.sort.at(-1) ?? place.partition[0] ?? ''])}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : 'All'}
        </button>
      )}
      {isOpen ? (
        <dl class="facts">
          {ordered.flatMap(([name, value]) => [
            <dt key={`${name} name`} class={isThere(name) ? '' : 'absent'}>
              {name}
            </dt>,
            <dd key={name} class={isThere(name) ? '' : 'absent'}>
              {isThere(name) ? (
                <Key value={value} lengths={item.marks[name]} />
              ) : (
                'not projected: this index does not contain the attribute'
              )}
            </dd>,
          ])}
        </dl>
      ) : (
        first.map(([name, value]) => <Pair key={name} name={name} value={isThere(name) ? short(value) : undefined} />)
      )}
    </>
  );
}

/** The number of attributes to show initially. */
const FIRST = 6;

/** Shows an attribute, on one line if it is short enough. An attribute without a value is not projected. */
function Pair({ name, value }: { name: string; value: string | undefined }) {
  const text = value ?? 'not projected';
  const classes = ['pair', ...(isShort(name + text) ? ['whole'] : []), ...(value === undefined ? ['absent'] : [])];
  return (
    <>
      <span class={classes.join(' ')}>
        <span class="name">{name}</span> {text}
      </span>{' '}
    </>
  );
}

function short(value: unknown): string {
  const text = textOf(value);
  return text.length > 36 ? `${text.slice(0, 35)}…` : text;
}
