import { ItemError } from '../items/item';
import { Pace } from '../items/pace';
import { type Paged, paged } from '../items/pages';
import type { Page } from '../items/result';
import type { ScanOptions } from './scan';

/** What one page of a scan is told beside its options: what all pages together are held to. */
export interface PacedOptions extends ScanOptions {
  readonly pace?: Pace | undefined;
}

type ScanPage = (values: object, options: PacedOptions) => Promise<Page<unknown>>;

/** All pages of a scan, as fast as the call allows. */
export function pacedPages(page: ScanPage): Paged<object, unknown, ScanOptions> {
  const begun = ({ unitsPerSecond, segments = 1 }: ScanOptions = {}) => {
    const pace = unitsPerSecond === undefined ? undefined : new Pace(unitsPerSecond / segments);
    // A scan passes over what it does not return, so that a page of one may be empty.
    return paged<object, unknown, ScanOptions>((values, given) => page(values, { ...given, pace }), true);
  };
  return {
    pages: (values, options) => begun(options).pages(values, options),
    all: (values, options) => begun(options).all(values, options),
    first: (values, options) => begun(options).first(values, options),
    count: (values, options) => begun(options).count(values, options),
  };
}

/** One page waits for nothing, and so cannot be held to anything. */
export function refuseUnpaced(name: string, { unitsPerSecond, pace }: PacedOptions = {}): void {
  if (unitsPerSecond === undefined || pace !== undefined) return;
  throw new ItemError(`${name}: one page waits for nothing; give unitsPerSecond to ${name}.all(…) or ${name}.pages(…)`);
}
