import { isRead } from '../blueprint/accesses';
import { defOf } from '../blueprint/attributes/schema';
import { plainOutline, type TableOutline } from '../blueprint/outline';
import { type Naming, useStored } from '../blueprint/stored';
import type { Unions } from '../blueprint/union-code';
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

export { unions } from '../blueprint/unions';

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

/** Optional code, so that a bundle contains only what its designs use. */
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
  /** For designs with `stored`: `stored` of `tablewright/dynamodb`. @default - attributes are stored under their own names */
  readonly stored?: Naming | undefined;
  /** For designs with `version`, `timestamps` or `computed`: `written` of `tablewright/dynamodb`. @default - no entity has them */
  readonly written?: Written | undefined;
  /** For entities whose attributes are a discriminated union: `unions` of `tablewright/dynamodb`. @default - no entity is one */
  readonly unions?: Unions | undefined;
  /** The current time, for `timestamps` and `unexpired`. @default Date.now */
  readonly clock?: Clock | undefined;
}

/** The outline of a design; the caller must pass the code for the features that the design uses. */
export function outlineWith(what: string, design: TableDesign, features: Features): TableOutline {
  const need = needCode(what, design, features);
  const outline = (features.unique ?? features.written)?.outline ?? plainOutline;
  const table = outline(design);
  need('unique', table.entities.find(({ uniques }) => uniques)?.name);
  need('written', table.entities.find(({ design: own }) => own.version ?? own.timestamps ?? own.computed)?.name);
  need('scans', table.patterns.find((pattern) => pattern.design.op === 'scan')?.name);
  need('lists', table.patterns.find(({ design: own }) => !isRead(own) && changesLists(own))?.name);
  return table;
}

/** Passes on the code for formats, unions and stored names; the returned function refuses a design whose code is missing. */
export function needCode(what: string, design: TableDesign, features: Features) {
  const need = (feature: keyof Features, user: string | undefined) => {
    if (user !== undefined && features[feature] === undefined)
      throw new ItemError(
        `${what} of '${design.name}': ${user} needs the option { ${feature} } of 'tablewright/dynamodb'`,
      );
  };
  const data = JSON.stringify(design, (field, value) => (field === 'attributes' ? undefined : value));
  need('formats', /<(shard\(|[^<>]*:(down|bucket|encoded))[^<>]*>/.exec(data)?.[0]);
  useFormats(features.formats);
  for (const [name, { stored, attributes }] of Object.entries(design.entities)) {
    need('stored', stored && name);
    need('unions', defOf(attributes as never).options && name);
  }
  useStored(features.stored, features.unions);
  return need;
}

function changesLists(pattern: object): boolean {
  return /"(ap|pre)pend":|"(add|subtract)":{[^}]*\[/.test(JSON.stringify(pattern)) || hasPositions(pattern);
}

/** Whether a write has list positions: in JSON, only such a path has a bracket in the middle of a string. */
export function hasPositions(step: object): boolean {
  return /[^:,[]\[[\d<]/.test(JSON.stringify(step));
}
