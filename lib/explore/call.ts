import type { ParameterView, SystemView } from './view';

type Caller = Pick<SystemView, 'name' | 'cloud' | 'origin' | 'tables'>;

/** Returns TypeScript code that calls a pattern. It contains all imports and values, so it compiles as it is. */
export function callOf(system: Caller, table: string, pattern: string, values: object): string {
  const { cloud, origin } = system;
  const { module, name, isTable } = origin ?? { module: './designs', name: identifier(system.name) };
  const design = isTable ? name : `${name}.tables${member(table)}`;
  const client = name === 'db' ? 'table' : 'db';
  const view = system.tables.find(({ name: candidate }) => candidate === table);
  const { parameters, across } = view?.patterns.find(({ name: candidate }) => candidate === pattern) ?? {};
  // The view lists the guards of unique values as entities, named by their paths in the design.
  const asked = across === undefined ? [view] : system.tables;
  const isUnique = asked.some((one) => one?.entities.some((entity) => entity.name.includes('.unique.')));
  const given = literal(values, '', new Set(binaryIn(parameters)));
  const [first, entry, made, physical] =
    cloud === 'aws'
      ? ([
          "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';",
          'dynamodb',
          DYNAMO,
          `${system.name}-prod-${table}`,
        ] as const)
      : (["import { DefaultAzureCredential } from '@azure/identity';", 'azure-tables', STORAGE, table] as const);
  if (across !== undefined)
    return [
      first,
      `import { system${isUnique ? ', unique' : ''} } from 'tablewright/${entry}';`,
      `import { ${made.slice(0, made.indexOf('('))} } from 'tablewright/${entry}/sdk';`,
      `import { ${name} } from '${module}';`,
      '',
      `const ${client} = system(${name}, { environment: 'prod' }, ${made}${isUnique ? ', { unique }' : ''});`,
      `const result = await ${client}${member(pattern)}(${given});`,
    ].join('\n');
  return [
    first,
    `import { client${isUnique ? ', unique' : ''} } from 'tablewright/${entry}';`,
    `import { ${made.slice(0, made.indexOf('('))} } from 'tablewright/${entry}/sdk';`,
    `import { ${name} } from '${module}';`,
    '',
    `const ${client} = client(${design}, ${literal(physical, '')}, ${made}${isUnique ? ', { unique }' : ''});`,
    `const result = await ${client}${member(pattern)}(${given});`,
  ].join('\n');
}

const DYNAMO = 'dynamo(new DynamoDBClient())';
const STORAGE = "storage('https://<account>.table.core.windows.net', new DefaultAzureCredential())";

/** Turns a name into a variable name: `controle-pgm` becomes `controlePgm`. */
export function identifier(text: string): string {
  const name = text.replaceAll(/[^\w$]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return isName(name) ? name : 'design';
}

/** Returns the parameters that the form takes as Base64, but the code as bytes. */
function binaryIn(parameters: readonly ParameterView[] = []): readonly string[] {
  return parameters.filter(({ kind }) => kind === 'binary').map(({ name }) => name);
}

function member(name: string): string {
  return isName(name) ? `.${name}` : `[${literal(name, '')}]`;
}

function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** Formats a value as TypeScript. */
export function literal(value: unknown, indent: string, bytes: ReadonlySet<string> = new Set()): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return `new Date('${value.toISOString()}')`;
  if (value instanceof Set) return `new Set(${literal([...value], indent)})`;
  if (value instanceof Uint8Array) return `Uint8Array.of(${[...value].join(', ')})`;
  const further = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((element) => literal(element, further))
    : Object.entries(value).map(([name, field]) => {
        const text = literal(field, further);
        const shown = bytes.has(name) ? `Buffer.from(${text}, 'base64')` : text;
        return `${isName(name) ? name : literal(name, '')}: ${shown}`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= 72 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${further}${part},`).join('\n')}\n${indent}${close}`;
}
