import { describeKills } from './kills';

// `MIGRATION_ITEMS=100000 npm run test:deep -- kills` runs with that many items and 50 kills, and prints its results.
const { MIGRATION_ITEMS: items } = process.env;

describeKills(
  items === undefined ? { items: 4_000, kills: 12 } : { items: Number(items), kills: 50, isReported: true },
);
