import { type Column, drawMap } from '../draw/map';
import type { MapNode } from '../map';
import type { SystemView, TableView } from '../view';
import { Picture } from './parts';
import { links } from './state';

export function MapView({ system, table }: { system: SystemView; table: TableView }) {
  const link = ({ id, label }: MapNode, column: Column) => {
    if (column === 'entities') return links.entity(system, table.name, label);
    if (column === 'patterns') return links.pattern(system, table.name, label);
    return links.place(system, table.name, id === 'table' ? undefined : label);
  };
  return (
    <>
      <h1>The map of {table.name}</h1>
      <p class="lead">
        Which entity is in which index, and which pattern reads or writes what. Dashed lines write; what no pattern
        reads or reaches has a dashed border.
      </p>
      <p class="soft small sideways">It is wider than this screen: scroll it sideways.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard */}
      <section class="scroll picture" tabIndex={0} aria-label={`The map of ${table.name}`}>
        <Picture shape={drawMap(table, link)} />
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
