import type { SystemView } from './view';

/** The call of a pattern as somebody would write it. */
export function callOf(cloud: SystemView['cloud'], table: string, pattern: string, values: object): string {
  const name = isName(table) ? table : 'table';
  const [entry, sdk, send] =
    cloud === 'aws'
      ? ['dynamodb', 'dynamo', 'dynamo(new DynamoDBClient())']
      : ['azure-tables', 'storage', 'storage(clientOf)'];
  return [
    ...(cloud === 'aws' ? ["import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"] : []),
    `import { client } from 'tablewright/${entry}';`,
    `import { ${sdk} } from 'tablewright/${entry}/sdk';`,
    '',
    `const ${name} = client(design, tableName, ${send});`,
    `const result = await ${name}${isName(pattern) ? `.${pattern}` : `[${literal(pattern, '')}]`}(${literal(values, '')});`,
  ].join('\n');
}

function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const further = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, further))
    : Object.entries(value).map(
        ([name, one]) => `${isName(name) ? name : literal(name, '')}: ${literal(one, further)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= 72 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${further}${part},`).join('\n')}\n${indent}${close}`;
}
