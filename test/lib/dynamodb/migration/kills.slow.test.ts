import { describeKills } from './kills';

describeKills({ items: 1_000, kills: 4 });
