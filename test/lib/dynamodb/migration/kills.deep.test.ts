import { describeKills } from './kills';

// To run with more items and 50 kills, and to print the results: `MIGRATION_ITEMS=100000 npm run test:deep -- kills`.
const { MIGRATION_ITEMS: items } = process.env;

describeKills(
  items === undefined ? { items: 4_000, kills: 12 } : { items: Number(items), kills: 50, isReported: true },
);
