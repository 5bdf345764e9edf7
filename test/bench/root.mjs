import { fileURLToPath } from 'node:url';

/** The folder of the package. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
