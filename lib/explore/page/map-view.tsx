import { type Column, drawHeads, drawMap } from '../draw/map';
import type { MapNode } from '../map';
import type { EntityView, SystemView, TableView } from '../view';
import { Picture } from './parts';
import { links } from './state';

interface MapProps {
  readonly system: SystemView;
  readonly table: TableView;
  /** The entity to show, together with the patterns that reach it. @default - all entities are shown */
  readonly entity?: string | undefined;
}

export function MapView({ system, table, entity }: MapProps) {
  const link = ({ id, label }: MapNode, column: Column) => {
    if (column === 'entities') return links.entity(system, table.name, label);
    if (column === 'patterns') return links.pattern(system, table.name, label);
    return links.place(system, table.name, id === 'table' ? undefined : label);
  };
  const chosen = table.entities.find(({ name }) => name === entity);
  const shown = chosen === undefined ? table : tableOf(table, chosen);
  return (
    <>
      <h1>Map of {table.name}</h1>
      <p class="lead">
        A dot shows which table or index contains an entity; R and W show which patterns read or write it there. A
        dashed border marks what no pattern reads or reaches.
      </p>
      <Filter system={system} table={table} chosen={chosen} />
      <p class="soft small sideways">The map is wider than this screen: scroll sideways.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to reach a scrollable area */}
      <section class="scroll picture" tabIndex={0} aria-label={`Map of ${table.name}`}>
        <div class="heads" aria-hidden="true">
          <Picture shape={drawHeads(shown)} />
        </div>
        <Picture shape={drawMap(shown, link)} />
      </section>
      <details>
        <summary>The map in words</summary>
        <ul>
          {table.places.map(({ index }) => {
            const there = table.entities.filter(
              (e) => index === undefined || e.indexes.some(({ name }) => name === index),
            );
            const served = table.patterns.filter(({ accesses }) => accesses.some((access) => access.index === index));
            return (
              <li key={index ?? ''}>
                <strong>{index ?? table.name}</strong> contains {there.map(({ name }) => name).join(', ') || 'nothing'},
                and serves {served.map(({ name }) => name).join(', ') || 'no pattern'}.
              </li>
            );
          })}
        </ul>
      </details>
    </>
  );
}

function Filter({ system, table, chosen }: Pick<MapProps, 'system' | 'table'> & { chosen: EntityView | undefined }) {
  if (table.entities.length < 2) return null;
  const current = (name: string | undefined) => (chosen?.name === name ? ({ 'aria-current': 'true' } as const) : {});
  return (
    <nav class="choices" aria-label="Entity on the map">
      <a href={links.map(system, table.name)} {...current(undefined)}>
        All
      </a>
      {table.entities.map(({ name }) => (
        <a key={name} href={links.map(system, table.name, name)} {...current(name)}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/**
 * Returns the part of a table that concerns one entity: the patterns that reach it, and the other entities that these
 * patterns reach.
 */
function tableOf(table: TableView, { name, indexes }: EntityView): TableView {
  const patterns = table.patterns.filter(({ accesses }) => accesses.some(({ entities }) => entities.includes(name)));
  const accesses = patterns.flatMap((pattern) => pattern.accesses);
  const isShown = (entity: string) => entity === name || accesses.some(({ entities }) => entities.includes(entity));
  const holds = (index: string | undefined) => index === undefined || indexes.some((one) => one.name === index);
  return {
    ...table,
    patterns,
    entities: table.entities.filter((one) => isShown(one.name)),
    places: table.places.filter(({ index }) => holds(index) || accesses.some((access) => access.index === index)),
  };
}
