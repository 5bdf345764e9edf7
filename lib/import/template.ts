import type { SchemaData } from '../blueprint/attributes/data';
import { keyAttributesOf, type PhysicalTable } from '../blueprint/physical-table';
import { isObject } from '../design/show';
import { readAssembly } from '../dynamodb/template/assembly';
import { templateProblem } from '../dynamodb/template/legible';
import { type TemplateJson, tablesIn } from '../dynamodb/template/tables';
import { readJson } from '../files/read';
import { type DescribedEntity, type DescribedTable, type Description, type Remark, unreadable } from './description';
import { expiring } from './items';
import { proposedPatterns } from './patterns';
import { frameOf } from './physical';
import { KEY_TEXT, optional } from './values';

const TYPES: Readonly<Record<string, SchemaData>> = {
  string: KEY_TEXT,
  number: { type: 'number' },
  binary: { type: 'custom', class: 'Uint8Array' },
};

/**
 * Describes the tables in a folder that `cdk synth` wrote, or in a single template. A template describes keys and
 * indexes, but not items.
 */
export function fromTemplate(path: string, isFolder: boolean): Description {
  const stacks = isFolder ? readAssembly(path) : [{ name: path, template: templateIn(path) }];
  const tables = stacks.flatMap(({ template }) => tablesIn(template));
  if (tables.length === 0) throw unreadable(`'${path}' has no DynamoDB table`);
  const taken = new Set<string>();
  return describedTables(
    tables.map((table) => {
      let name = table.name ?? table.logicalId.replace(/[0-9A-F]{8}$/, '');
      for (let i = 2; taken.has(name); i++) name = `${table.name ?? table.logicalId}${i}`;
      taken.add(name);
      return { ...table, name };
    }),
  );
}

function templateIn(file: string): TemplateJson {
  const template = readJson(file);
  const problem = templateProblem(template);
  if (problem !== undefined) throw unreadable(`'${file}' is not a template: ${problem}`);
  return template as TemplateJson;
}

export function isTemplate(json: unknown): boolean {
  return isObject(json) && isObject(json.Resources);
}

/** Describes tables whose source says nothing about their items: each table gets one open entity with natural keys. */
export function describedTables(tables: readonly (PhysicalTable & { readonly name: string })[]): Description {
  const remarks: Remark[] = [];
  const described = tables.map((table): DescribedTable => {
    const { key } = table;
    const primary = [...key.partitionBy, ...key.sortBy].map(({ name }) => name);
    const shape = keyAttributesOf(table).map(({ name, type }) => {
      const schema = TYPES[type] as SchemaData;
      return [name, primary.includes(name) ? schema : optional(schema)] as const;
    });
    const attributes = { type: 'object', shape: Object.fromEntries(shape), catchall: { type: 'unknown' } };
    const own = {
      ...{ name: table.name, ...frameOf(table), ...(table.ttl !== undefined && { ttl: table.ttl }) },
      entities: { Item: { attributes } } as Record<string, DescribedEntity>,
    };
    if (table.ttl !== undefined) expiring(table.ttl, own.entities);
    const path = [table.name, 'entities', 'Item'];
    remarks.push({
      path,
      text: 'a template does not describe items; replace this entity with one per kind of item',
      unsure: true,
    });
    return { ...own, patterns: proposedPatterns(own) };
  });
  return { tables: described, remarks };
}
