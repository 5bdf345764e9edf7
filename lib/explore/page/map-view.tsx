import { drawMap } from '../draw/map';
import type { TableView } from '../view';
import { Picture } from './parts';

export function MapView({ table }: { table: TableView }) {
  return (
    <>
      <h1>The map of {table.name}</h1>
      <p class="lead">
        What is in which index, and which pattern goes where. Dashed lines write; what no pattern reaches has a dashed
        border.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard */}
      <section class="scroll picture" tabIndex={0} aria-label={`The map of ${table.name}`}>
        <Picture shape={drawMap(table)} />
      </section>
      <details>
        <summary>The same in words</summary>
        <ul>
          {table.places.map(({ index }) => {
            const there = table.entities.filter(
              (e) => index === undefined || e.indexes.some(({ name }) => name === index),
            );
            const served = table.patterns.filter(({ accesses }) => accesses.some((access) => access.index === index));
            return (
              <li key={index ?? ''}>
                <strong>{index ?? table.name}</strong> holds {there.map(({ name }) => name).join(', ') || 'nothing'},
                and serves {served.map(({ name }) => name).join(', ') || 'no pattern'}.
              </li>
            );
          })}
        </ul>
      </details>
    </>
  );
}
