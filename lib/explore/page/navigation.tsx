import type { ComponentChildren } from 'preact';
import type { SiteView, SystemView, TableView } from '../view';
import { links, type Route } from './state';

/** Links to every part of a system, and to the other systems. */
export function Navigation({
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
      {site.siblings !== undefined && <Siblings siblings={site.siblings} system={system} />}
      {site.systems.length > 1 && (
        <ul class="systems" aria-label="Systems">
          {site.systems.map((other) => (
            <li key={other.name}>
              <a href={links.system(other)} aria-current={other === system ? 'true' : undefined}>
                {other.name} <span class="soft small">{other.cloud === 'azure' ? 'Azure' : 'AWS'}</span>
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
        {site.live ? `Runs on ${site.engine ?? 'an embedded engine'}.` : 'The results come from the cases.'}
      </p>
    </nav>
  );
}

/** Links to the other files of a site. */
export function Siblings({
  siblings,
  system,
}: {
  siblings: NonNullable<SiteView['siblings']>;
  system: Pick<SystemView, 'name'>;
}) {
  return (
    <ul class="systems" aria-label="Systems">
      <li>
        <a href="index.html">All systems</a>
      </li>
      {siblings.map(({ name, href }) => (
        <li key={name}>
          <a href={href} aria-current={name === system.name ? 'true' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
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
