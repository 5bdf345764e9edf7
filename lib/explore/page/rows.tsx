import { textOf } from '../rows';
import type { ItemView, PartitionView, PlaceView, SystemView, TableView } from '../view';
import { Entity, Key } from './parts';

interface Place {
  readonly system: SystemView;
  readonly table: TableView;
  readonly place: PlaceView;
}

/** Items by partition; those that were read are lit. */
export function Rows({
  partitions,
  lit,
  ...at
}: Place & { partitions: readonly PartitionView[]; lit?: ReadonlySet<number> }) {
  const { place, table } = at;
  const label = `Items of ${table.name}${place.index === undefined ? '' : `, index ${place.index}`}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class={lit === undefined ? 'items' : 'items has-lit'}>
        <thead>
          <tr>
            <th scope="col">{place.partition}</th>
            {place.sort !== undefined && <th scope="col">{place.sort}</th>}
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
  const { key, rows, from, of } = partition;
  const { place } = at;
  const left = of - rows.length;
  return (
    <tbody>
      {rows.map((item, i) => (
        <tr key={item.id} class={lit?.has(item.id) ? 'lit' : ''} data-item={item.id}>
          {i === 0 && (
            <th scope="rowgroup" rowSpan={rows.length} class="partition">
              <Key value={key} lengths={item.marks[place.partition]} />
              <span class="soft small">
                {left > 0 ? `rows ${from + 1} to ${from + rows.length} of ${of}` : of === 1 ? '1 item' : `${of} items`}
              </span>
            </th>
          )}
          {place.sort !== undefined && (
            <td class="sort">
              <Key value={item.attributes[place.sort]} lengths={item.marks[place.sort]} />
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

/** What else is stored: the first of it at once, and all of it on demand. */
function Attributes({ item, table, place }: Place & { item: ItemView }) {
  const shown = new Set([place.partition, place.sort, table.typeAttribute]);
  const keys = new Set(table.places.flatMap(({ partition, sort }) => [partition, sort]));
  const all = Object.entries(item.attributes).filter(([name]) => !shown.has(name));
  // Keys of other indexes are the least telling.
  const ordered = [...all.filter(([name]) => !keys.has(name)), ...all.filter(([name]) => keys.has(name))];
  const isThere = (name: string) => place.projected?.includes(name) ?? true;
  if (ordered.length === 0) return <span class="soft">none</span>;
  return (
    <details>
      <summary>
        {ordered.slice(0, 6).map(([name, value]) => (
          <span key={name} class={isThere(name) ? 'pair' : 'pair absent'}>
            <span class="name">{name}</span> {isThere(name) ? short(value) : 'not projected'}
          </span>
        ))}
        {ordered.length > 6 && <span class="soft">+{ordered.length - 6}</span>}
      </summary>
      <dl class="facts">
        {ordered.flatMap(([name, value]) => [
          <dt key={`${name} name`} class={isThere(name) ? '' : 'absent'}>
            {name}
          </dt>,
          <dd key={name} class={isThere(name) ? '' : 'absent'}>
            {isThere(name) ? (
              <Key value={value} lengths={item.marks[name]} />
            ) : (
              'not projected: this index does not hold it'
            )}
          </dd>,
        ])}
      </dl>
    </details>
  );
}

function short(value: unknown): string {
  const text = textOf(value);
  return text.length > 32 ? `${text.slice(0, 31)}…` : text;
}
