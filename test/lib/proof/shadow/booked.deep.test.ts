import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { describeBooked } from './booked';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

describeBooked(() => engine);
