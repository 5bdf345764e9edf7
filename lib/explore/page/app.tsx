import { useEffect, useRef, useState } from 'preact/hooks';
import type { SiteView, SystemView } from '../view';
import { EntityPage } from './entity-page';
import { Equivalent } from './equivalent';
import { Evolution } from './evolution';
import { Findings } from './findings';
import { MapView } from './map-view';
import { Navigation } from './navigation';
import { Overview } from './overview';
import { Pattern, Procedure } from './pattern-view';
import { Proof } from './proof';
import { Search } from './search';
import { links, type Route, routeOf, type Source } from './state';
import { Items } from './table-view';

/** The whole page: the header, the navigation, and the content that the address selects. */
export function App({ site, source }: { site: SiteView; source: Source }) {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location.hash);
  useEffect(() => {
    let path = pathOf();
    const moved = () => {
      setRoute(routeOf(location.hash));
      setOpen(false);
      // Keep the scroll position if the user only moves to another page of the same result.
      if (path === pathOf()) return;
      path = pathOf();
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    };
    addEventListener('hashchange', moved);
    // The address may have changed after the first rendering but before this listener was registered.
    if (location.hash !== shown.current) moved();
    return () => removeEventListener('hashchange', moved);
  }, []);
  const [first] = site.systems;
  const found = site.systems.find(({ name }) => name === route.system);
  const system = found ?? first;
  useEffect(() => {
    document.title = [...route.names, found?.name ?? route.system ?? first?.name, 'Tablewright']
      .filter(Boolean)
      .join(' · ');
  }, [route, found, first]);
  if (system === undefined) return <p class="alert">There is no design to show.</p>;
  return (
    <>
      <button type="button" class="skip button" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={links.system(site.systems[0] as SystemView)}>
          Tablewright
        </a>
        <Search systems={site.systems} />
        <Theme />
        <button
          type="button"
          class="button menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </header>
      <div class="frame">
        <Navigation site={site} system={system} route={route} isOpen={isOpen} />
        <main id="main" ref={main} tabIndex={-1}>
          {route.system !== undefined && found === undefined ? (
            <NoSystem site={site} name={route.system} />
          ) : (
            <Shown system={system} route={route} source={source} />
          )}
        </main>
      </div>
    </>
  );
}

function pathOf(): string {
  return location.hash.split('?')[0] ?? '';
}

function Shown({ system, route, source }: { system: SystemView; route: Route; source: Source }) {
  const { view, names, query } = route;
  const [first = '', second] = names;
  const table = system.tables.find(({ name }) => name === first);
  switch (view) {
    case 'table': {
      const place = table?.places.find(({ index }) => index === second);
      if (table === undefined || place === undefined) return <Missing system={system} what={names.join(' / ')} />;
      const key = JSON.stringify([system.name, names]);
      return (
        <Items key={key} system={system} table={table} place={place} source={source} filter={query.filter ?? ''} />
      );
    }
    case 'pattern': {
      const pattern = table?.patterns.find(({ name }) => name === second);
      if (table === undefined || pattern === undefined) return <Missing system={system} what={second ?? first} />;
      const key = JSON.stringify([system.name, names]);
      return <Pattern key={key} system={system} table={table} pattern={pattern} source={source} query={query} />;
    }
    case 'procedure': {
      const procedure = system.procedures.find(({ name }) => name === first);
      if (procedure === undefined) return <Missing system={system} what={first} />;
      return (
        <Procedure
          key={JSON.stringify([system.name, first])}
          system={system}
          procedure={procedure}
          source={source}
          query={query}
        />
      );
    }
    case 'entity': {
      const entity = table?.entities.find(({ name }) => name === second);
      if (table === undefined || entity === undefined) return <Missing system={system} what={second ?? first} />;
      return <EntityPage system={system} table={table} entity={entity} />;
    }
    case 'map':
      if (table === undefined) return <Missing system={system} what={first} />;
      return <MapView system={system} table={table} entity={query.entity} />;
    case 'findings':
      return <Findings system={system} />;
    case 'proof':
      return <Proof system={system} />;
    case 'evolution':
      return <Evolution system={system} />;
    case 'azure':
      return <Equivalent system={system} />;
    case 'overview':
      return <Overview system={system} />;
    default:
      return <Missing system={system} what={view} />;
  }
}

/** Shown if the address refers to a system that is in a different file or does not exist. */
function NoSystem({ site, name }: { site: SiteView; name: string }) {
  const sibling = site.siblings?.find((other) => other.name === name);
  const all = site.siblings ?? site.systems.map((system) => ({ name: system.name, href: links.system(system) }));
  return (
    <>
      <h1>Not here</h1>
      {sibling === undefined ? (
        <p>
          There is no system {name}. There {all.length === 1 ? 'is' : 'are'}:
        </p>
      ) : (
        <p>
          {name} is <a href={`${sibling.href}${location.hash}`}>in a file of its own</a>. All systems:
        </p>
      )}
      <ul>
        {all.map((other) => (
          <li key={other.name}>
            <a href={other.href}>{other.name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Missing({ system, what }: { system: SystemView; what: string }) {
  return (
    <>
      <h1>Not here</h1>
      <p>
        {system.name} has no {what}. It may have been renamed: <a href={links.system(system)}>look around</a>, or
        search.
      </p>
    </>
  );
}

/** Switches between light and dark mode. Until the first switch, the mode follows the system setting. */
function Theme() {
  const [theme, setTheme] = useState(
    () => kept() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
  );
  const turn = () => {
    const other = theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = other;
    try {
      localStorage.setItem('tablewright-theme', other);
    } catch {
      // A page that is opened from disk may be unable to store the choice.
    }
    setTheme(other);
  };
  return (
    <button type="button" class="button theme" onClick={turn}>
      {theme === 'dark' ? 'Light' : 'Dark'}
    </button>
  );
}

export function kept(): string | undefined {
  try {
    return localStorage.getItem('tablewright-theme') ?? undefined;
  } catch {
    return undefined;
  }
}
