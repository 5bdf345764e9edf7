import * as z from 'zod';

const UTC = /(Z|\+00:00)$/;
const error = 'must be a time in UTC, such as 2025-01-15T10:30:00Z';

/**
 * Any stored ISO time in UTC, with a precision of minutes, seconds or finer, and with `Z` or `+00:00`. New times should
 * have the format of `new Date().toISOString()`, so that they sort in chronological order.
 */
export const timestamp = z.union(
  [z.iso.datetime({ offset: true }).regex(UTC), z.iso.datetime({ offset: true, precision: -1 }).regex(UTC)],
  { error },
);

/** Like `timestamp`, but with at most seven fractional digits, as in Azure. The library writes `usual` digits. */
export function timestampOnAzure(usual: number) {
  const forms = [usual, 0, 6, 3, 1, 2, 4, 5, 7, -1].map((precision) =>
    z.iso.datetime({ offset: true, precision }).regex(UTC),
  );
  return z.union(forms, { error });
}

/** Returns a time without its zone. Without its zone, a time sorts before the same time with more fractional digits. */
export function digitsOf(time: string): string {
  return time.replace(UTC, '');
}

/** Formats a time in UTC with whole seconds, as in the documents of booking and controle-pgm. */
export function inSeconds(moment: Date | string): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
