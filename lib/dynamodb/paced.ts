import { ItemError } from '../items/item';
import { Pace } from '../items/pace';
import { type Paged, paged } from '../items/pages';
import type { Page } from '../items/result';
import type { ScanOptions } from './scan';

/** The options of one page of a scan, with the pace that all pages of the scan share. */
export interface PacedOptions extends ScanOptions {
  readonly pace?: Pace | undefined;
}

type ScanPage = (values: object, options: PacedOptions) => Promise<Page<unknown>>;

/** Returns the methods that page through a scan at the pace of `unitsPerSecond`. */
export function pacedPages(page: ScanPage): Paged<object, unknown, ScanOptions> {
  const begun = ({ unitsPerSecond, segments = 1 }: ScanOptions = {}) => {
    const pace = unitsPerSecond === undefined ? undefined : new Pace(unitsPerSecond / segments);
    // Passes `true` because a scan skips items of other entities, so a page that examines only one item may be empty.
    return paged<object, unknown, ScanOptions>((values, given) => page(values, { ...given, pace }), true);
  };
  return {
    pages: (values, options) => begun(options).pages(values, options),
    all: (values, options) => begun(options).all(values, options),
    first: (values, options) => begun(options).first(values, options),
    count: (values, options) => begun(options).count(values, options),
  };
}

/** Refuses `unitsPerSecond` for a single page, because there is no next page to delay. */
export function refuseUnpaced(name: string, { unitsPerSecond, pace }: PacedOptions = {}): void {
  if (unitsPerSecond === undefined || pace !== undefined) return;
  throw new ItemError(
    `${name}: a single page cannot be paced; pass unitsPerSecond to ${name}.all(…) or ${name}.pages(…)`,
  );
}
