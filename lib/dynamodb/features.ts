import { isRead } from '../blueprint/accesses';
import { plainOutline, type TableOutline } from '../blueprint/outline';
import type { Formats } from '../design/formats';
import type { TableDesign } from '../design/table';
import { useFormats } from '../design/template';
import { appended, elements } from '../items/appended';
import { ItemError } from '../items/item';
import { located } from '../items/positions';
import type { Clock } from '../items/stamps';
import type { Elements } from '../items/update';
import { addClauses } from './clauses';
import { scanBuilder } from './scan';
import type { Unique } from './unique';
import type { Written } from './written';

/** The code for scans. Give it to `requests` as `{ scans }` if a design has a pattern with `op: 'scan'`. */
export const scans = { scanBuilder };

/**
 * The code that changes elements of lists and sets. Give it to `requests` as `{ lists }` if a write appends, prepends, has paths
 * such as `lines[<line>]`, or adds to a set.
 */
export const lists: Lists = { located, appended, elements, addClauses };

export interface Lists extends Elements {
  readonly located: typeof located;
  readonly addClauses: typeof addClauses;
}

/** Code that only some designs need, so that a bundle has only what its own designs use. */
export interface Features {
  /** For designs that declare `unique`: `unique` of `tablewright/dynamodb`. @default - no entity has one */
  readonly unique?: Unique | undefined;
  /** For designs with a scan: `scans` of `tablewright/dynamodb`. @default - no pattern scans */
  readonly scans?: typeof scans | undefined;
  /** For designs that change elements of lists or sets: `lists` of `tablewright/dynamodb`. @default - no pattern does */
  readonly lists?: Lists | undefined;
  /**
   * For designs with `<n:down:4>`, `<shard(a, 16)>`, `<t:bucket(15m)>` or `<a:encoded>`: `formats` of `tablewright/dynamodb`.
   * @default - no template has such a part
   */
  readonly formats?: Formats | undefined;
  /** For designs with `version`, `timestamps` or `computed`: `written` of `tablewright/dynamodb`. @default - no entity has them */
  readonly written?: Written | undefined;
  /** What time it is, for `timestamps`. @default Date.now */
  readonly clock?: Clock | undefined;
}

/** The outline of a design; the caller must pass the code for the features that the design uses. */
export function outlineWith(what: string, design: TableDesign, features: Features): TableOutline {
  const outline = (features.unique ?? features.written)?.outline ?? plainOutline;
  const table = outline(design);
  const need = (feature: keyof Features, name: string | undefined) => needed(what, design, feature, features, name);
  need('unique', table.entities.find(({ uniques }) => uniques !== undefined)?.name);
  need('written', table.entities.find(({ design: own }) => own.version ?? own.timestamps ?? own.computed)?.name);
  need('scans', table.patterns.find((pattern) => pattern.design.op === 'scan')?.name);
  need('lists', table.patterns.find(({ design: own }) => !isRead(own) && changesLists(own))?.name);
  return table;
}

/** Passes the code for formats to the templates, and refuses a design whose code is missing. */
export function needFormats(what: string, design: TableDesign, features: Features): void {
  const data = JSON.stringify(design, (field, value) => (field === 'attributes' ? undefined : value));
  needed(what, design, 'formats', features, /<(shard\(|[^<>]*:(down|bucket|encoded))[^<>]*>/.exec(data)?.[0]);
  useFormats(features.formats);
}

function needed(what: string, { name }: TableDesign, feature: keyof Features, given: Features, user?: string): void {
  if (user === undefined || given[feature] !== undefined) return;
  throw new ItemError(`${what} of '${name}': ${user} needs the option { ${feature} } of 'tablewright/dynamodb'`);
}

function changesLists(pattern: object): boolean {
  return /"(ap|pre)pend":|"(add|subtract)":{[^}]*\[/.test(JSON.stringify(pattern)) || hasPositions(pattern);
}

/** Whether a write has list positions: in JSON, only such a path has a bracket in the middle of a string. */
export function hasPositions(step: object): boolean {
  return /[^:,[]\[[\d<]/.test(JSON.stringify(step));
}
