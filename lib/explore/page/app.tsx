import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SiteView, SystemView, TableView } from '../view';
import { Pattern, Procedure } from './pattern-view';
import { links, type Route, routeOf, type Source, search } from './state';
import { Items } from './table-view';
import { EntityPage, Equivalent, Evolution, Findings, MapView, Overview, Proof } from './views';

/** The page: where one is, what there is, and what is looked at. */
export function App({ site, source }: { site: SiteView; source: Source }) {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const moved = () => {
      setRoute(routeOf(location.hash));
      setOpen(false);
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    };
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  const system = site.systems.find(({ name }) => name === route.system) ?? site.systems[0];
  useEffect(() => {
    document.title = [...route.names, system?.name, 'Tablewright'].filter(Boolean).join(' · ');
  }, [route, system]);
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
          <Shown system={system} route={route} source={source} />
        </main>
      </div>
    </>
  );
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
      return (
        <Pattern
          key={key}
          system={system}
          table={table}
          pattern={pattern}
          source={source}
          given={valuesIn(query.values)}
        />
      );
    }
    case 'procedure': {
      const procedure = system.procedures.find(({ name }) => name === first);
      if (procedure === undefined) return <Missing system={system} what={first} />;
      return (
        <Procedure key={JSON.stringify([system.name, first])} system={system} procedure={procedure} source={source} />
      );
    }
    case 'entity': {
      const entity = table?.entities.find(({ name }) => name === second);
      if (table === undefined || entity === undefined) return <Missing system={system} what={second ?? first} />;
      return <EntityPage system={system} table={table} entity={entity} />;
    }
    case 'map':
      return table === undefined ? <Missing system={system} what={first} /> : <MapView table={table} />;
    case 'findings':
      return <Findings system={system} />;
    case 'proof':
      return <Proof system={system} />;
    case 'evolution':
      return <Evolution system={system} />;
    case 'azure':
      return <Equivalent system={system} />;
    default:
      return <Overview system={system} />;
  }
}

/** A permalink may be edited by hand. */
function valuesIn(text: string | undefined): object | undefined {
  try {
    const values = JSON.parse(text ?? '');
    return typeof values === 'object' && values !== null ? values : undefined;
  } catch {
    return undefined;
  }
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

function Navigation({
  site,
  system,
  route,
  isOpen,
}: {
  site: SiteView;
  system: SystemView;
  route: Route;
  isOpen: boolean;
}) {
  const here = location.hash.split('?')[0] || links.system(system);
  const link = (href: string, text: ComponentChildren) => (
    <a href={href} aria-current={here === href ? 'page' : undefined}>
      {text}
    </a>
  );
  const errors = system.findings.filter(({ severity }) => severity === 'error').length;
  return (
    <nav id="navigation" class={isOpen ? 'side open' : 'side'} aria-label="Design">
      {site.systems.length > 1 && (
        <ul class="systems" aria-label="Systems">
          {site.systems.map((one) => (
            <li key={one.name}>
              <a href={links.system(one)} aria-current={one === system ? 'true' : undefined}>
                {one.name} <span class="soft small">{one.cloud === 'azure' ? 'Azure' : 'AWS'}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <h2>{system.name}</h2>
      <ul>
        <li>{link(links.system(system), 'Overview')}</li>
        <li>
          {link(
            links.view(system, 'findings'),
            <>
              Findings <span class={errors > 0 ? 'badge error' : 'soft small'}>{system.findings.length}</span>
            </>,
          )}
        </li>
        <li>{link(links.view(system, 'proof'), 'Proof')}</li>
        <li>{link(links.view(system, 'evolution'), 'Evolution')}</li>
        {system.cloud === 'aws' && <li>{link(links.view(system, 'azure'), 'On Azure')}</li>}
      </ul>
      {system.tables.map((table) => (
        <TableLinks
          key={table.name}
          system={system}
          table={table}
          link={link}
          isNear={route.names[0] === table.name || system.tables.length === 1}
        />
      ))}
      {system.procedures.length > 0 && (
        <>
          <h3>Procedures</h3>
          <ul>
            {system.procedures.map(({ name }) => (
              <li key={name}>{link(links.procedure(system, name), name)}</li>
            ))}
          </ul>
        </>
      )}
      <p class="soft small engine">
        {site.live ? `Runs on ${site.engine ?? 'an embedded engine'}.` : 'Answers are those of the cases.'}
      </p>
    </nav>
  );
}

interface TableLinksProps {
  readonly system: SystemView;
  readonly table: TableView;
  readonly link: (href: string, text: ComponentChildren) => ComponentChildren;
  readonly isNear: boolean;
}

function TableLinks({ system, table, link, isNear }: TableLinksProps) {
  const groups = [
    ['Reads', table.patterns.filter(({ writes }) => !writes)],
    ['Writes', table.patterns.filter(({ writes }) => writes)],
  ] as const;
  return (
    <details open={isNear}>
      <summary>{table.name}</summary>
      <ul>
        {table.places.map(({ index }) => (
          <li key={index ?? ''}>{link(links.place(system, table.name, index), index ?? 'Items')}</li>
        ))}
        <li>{link(links.map(system, table.name), 'Map')}</li>
      </ul>
      {groups.map(
        ([title, patterns]) =>
          patterns.length > 0 && (
            <div key={title}>
              <h3>{title}</h3>
              <ul>
                {patterns.map(({ name }) => (
                  <li key={name}>{link(links.pattern(system, table.name, name), name)}</li>
                ))}
              </ul>
            </div>
          ),
      )}
    </details>
  );
}

function Search({ systems }: { systems: readonly SystemView[] }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const hits = search(systems, text);
  return (
    <search class="search" onKeyDown={(event) => event.key === 'Escape' && setText('')}>
      <label>
        <span class="visually-hidden">Search entities, attributes, indexes and patterns</span>
        <input
          ref={input}
          type="search"
          value={text}
          placeholder="Search (Ctrl K)"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {text.trim() !== '' && (
        <div class="hits">
          <p class="soft small" role="status">
            {hits.length === 0 ? 'Nothing has that name.' : `${hits.length} found`}
          </p>
          <ul>
            {hits.map((hit, i) => (
              <li key={i}>
                <a href={hit.href} onClick={() => setText('')}>
                  {hit.name}{' '}
                  <span class="soft small">
                    {hit.kind} · {hit.where}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}

/** As the machine has it, until somebody wants the other. */
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
      // A page from disk may have no storage.
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
