import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { describeBooked } from './booked';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** One change of each kind that `prove-plan.slow.test.ts` leaves out. */
const NAMES = [
  'an entity moved to a second table',
  'an entity split in two',
  'a required attribute removed, including from stored items',
  'attributes moved into a map',
  'a narrower while',
  'a member removed',
  'a discriminator renamed',
  'an object that becomes a union',
  'a value that becomes unique',
  'a different primary key for an entity with a unique value',
  'renamed key attributes in an index of an open entity',
  'seconds that become milliseconds in a key',
  'an entity with a version, timestamps and a computed value gets an index',
  'a different number of shards',
  'a required field added to a map',
  'a required and an optional attribute added',
  'an entity moved to a second table, with an attribute renamed',
  'a version declared on a stored attribute',
  'a different stored name',
  'a renamed attribute that gets a stored name',
  ...[
    'a required attribute removed, including from stored items',
    'attributes moved into a map',
    'seconds that become milliseconds in a key',
    'a value that is unique per city instead of globally',
    'an entity moved to a second table',
    'an attribute of one member renamed',
    'a different computation',
  ].map((name) => `${name}, with stored names`),
];

describeBooked(
  () => engine,
  ({ name }) => NAMES.includes(name),
);
