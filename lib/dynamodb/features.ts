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

/** The code for scans. If a design has a pattern with `op: 'scan'`, pass `{ scans }` to `requests`. */
export const scans = { scanBuilder };

/**
 * The code that changes elements of lists and sets. Pass `{ lists }` to `requests` if a write in the design appends,
 * prepends, changes the elements of a set, or has paths such as `lines[<line>]`.
 */
export const lists: Lists = { located, appended, elements, addClauses };

export interface Lists extends Elements {
  readonly located: typeof located;
  readonly addClauses: typeof addClauses;
}

/** Features that you pass explicitly, so that a bundle contains only the code that its designs use. */
export interface Features {
  /**
   * Pass `unique` from `tablewright/dynamodb` for designs that declare `unique`.
   * @default - no entity declares `unique`
   */
  readonly unique?: Unique | undefined;
  /** Pass `scans` from `tablewright/dynamodb` for designs with a scan. @default - no pattern scans */
  readonly scans?: typeof scans | undefined;
  /**
   * Pass `lists` from `tablewright/dynamodb` for designs that change elements of lists or sets.
   * @default - no pattern changes elements of lists or sets
   */
  readonly lists?: Lists | undefined;
  /**
   * Pass `formats` from `tablewright/dynamodb` for designs with `<n:down:4>`, `<shard(a, 16)>`, `<t:bucket(15m)>` or
   * `<a:encoded>`.
   * @default - no template has such a part
   */
  readonly formats?: Formats | undefined;
  /**
   * Pass `stored` from `tablewright/dynamodb` for designs with `stored`.
   * @default - attributes are stored under their own names
   */
  readonly stored?: Naming | undefined;
  /**
   * Pass `written` from `tablewright/dynamodb` for designs with `version`, `timestamps` or `computed`.
   * @default - no entity declares `version`, `timestamps` or `computed`
   */
  readonly written?: Written | undefined;
  /**
   * Pass `unions` from `tablewright/dynamodb` for entities whose attributes are a discriminated union.
   * @default - no entity is a discriminated union
   */
  readonly unions?: Unions | undefined;
  /** The current time, for `timestamps` and `unexpired`. @default Date.now */
  readonly clock?: Clock | undefined;
}

/** Returns the outline of a design. Throws if `features` does not contain all code that the design needs. */
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

/**
 * Registers the code for formats, unions and stored names. Throws if the design uses one of these but `features` lacks
 * its code; the returned function checks the other features in the same way.
 */
export function needCode(what: string, design: TableDesign, features: Features) {
  const need = (feature: keyof Features, user: string | undefined) => {
    if (user !== undefined && features[feature] === undefined)
      throw new ItemError(
        `${what} of '${design.name}': ${user} needs the option { ${feature} } from 'tablewright/dynamodb'`,
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

/**
 * Whether a write has paths with list positions. In a write's JSON, only such a path has a bracket in the middle of a
 * string.
 */
export function hasPositions(step: object): boolean {
  return /[^:,[]\[[\d<]/.test(JSON.stringify(step));
}
