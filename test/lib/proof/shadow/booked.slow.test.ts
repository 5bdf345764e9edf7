import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { describeBooked } from './booked';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** One change of each kind that `prove-plan.slow.test.ts` does not cover. */
const NAMES = [
  'an entity moved to a second table',
  'an item written with each stored one',
  'a required attribute removed, and taken from stored items',
  'attributes moved into a map',
  'a narrower while',
  'a value that becomes unique',
  'another primary key of an entity with a unique value',
  'the key attributes of an index of an open entity renamed',
  'seconds that become milliseconds in a key',
];

describeBooked(
  () => engine,
  ({ name }) => NAMES.includes(name),
);
