import { describeKills } from './kills';

// `MIGRATION_ITEMS=100000 npm run test:deep -- kills` takes that many items, 50 kills, and prints its numbers.
const { MIGRATION_ITEMS: items } = process.env;

describeKills(
  items === undefined ? { items: 4_000, kills: 12 } : { items: Number(items), kills: 50, isReported: true },
);
