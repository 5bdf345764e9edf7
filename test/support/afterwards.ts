import { rmSync } from 'node:fs';

/** Removes what the tests of one run shared. */
export default function afterwards(): void {
  const { TABLEWRIGHT_SHARED: shared } = process.env;
  if (shared !== undefined) rmSync(shared, { recursive: true, force: true });
}
