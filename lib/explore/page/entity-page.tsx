import type { EntityView, PatternView, SystemView, TableView } from '../view';
import { FindingsAt } from './findings';
import { Entity, Marks } from './parts';
import { links } from './state';

export function EntityPage({ system, table, entity }: { system: SystemView; table: TableView; entity: EntityView }) {
  const using = table.patterns.filter(({ accesses }) =>
    accesses.some(({ entities }) => entities.includes(entity.name)),
  );
  return (
    <>
      <h1>
        <Entity system={system} table={table} name={entity.name} />
      </h1>
      <p class="lead">
        An entity of <a href={links.place(system, table.name)}>{table.name}</a>
        {entity.type !== undefined && (
          <>
            , stored with {table.typeAttribute} <code>{entity.type}</code>
          </>
        )}
      </p>
      <FindingsAt
        system={system}
        isHere={(finding) => finding.table === table.name && finding.entity === entity.name}
      />
      <div class="columns">
        <section class="card">
          <h2>Attributes</h2>
          <dl class="facts">
            {entity.attributes.flatMap(({ name, kind, optional, values, format }) => [
              <dt key={`${name} name`}>{name}</dt>,
              <dd key={name}>
                {format ?? kind}
                {optional && <span class="soft">, optional</span>}
                {values !== undefined && <span class="soft">: {values.join(', ')}</span>}
              </dd>,
            ])}
          </dl>
        </section>
        <section class="card">
          <h2>Keys</h2>
          <dl class="facts">
            {entity.keys.flatMap(({ attribute, template, natural }) => [
              <dt key={`${attribute} name`}>{attribute}</dt>,
              <dd key={attribute}>
                {natural ? <span class="soft">the attribute itself</span> : <Marks marks={template} />}
              </dd>,
            ])}
          </dl>
          <h2>Indexes</h2>
          {entity.indexes.length === 0 && <p class="soft">No index contains it.</p>}
          <ul class="list">
            {entity.indexes.map(({ name, while: tests }) => (
              <li key={name}>
                <a href={links.place(system, table.name, name)}>{name}</a>
                <span class="soft"> {tests.length === 0 ? 'always' : `while ${tests.join(' and ')}`}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <section class="card">
        <h2>Patterns</h2>
        {using.length === 0 && <p class="alert">No pattern reaches it.</p>}
        <div class="columns">
          <Using title="Reads" system={system} table={table} patterns={using.filter(({ writes }) => !writes)} />
          <Using title="Writes" system={system} table={table} patterns={using.filter(({ writes }) => writes)} />
        </div>
      </section>
    </>
  );
}

interface UsingProps {
  readonly title: string;
  readonly system: SystemView;
  readonly table: TableView;
  readonly patterns: readonly PatternView[];
}

function Using({ title, system, table, patterns }: UsingProps) {
  if (patterns.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="list">
        {patterns.map(({ name, op, purpose }) => (
          <li key={name}>
            <a href={links.pattern(system, table.name, name)}>{name}</a> <span class="soft">{purpose ?? op}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
