import type { Database } from '../../../../lib/dynamodb/engine/database';
import { engineUnderTest } from '../../../support/engine-under-test';
import { describeBooked } from './booked';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

describeBooked(() => engine);
