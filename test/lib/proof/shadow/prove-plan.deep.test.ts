import type { Database } from '../../../../lib/dynamodb/engine/database';
import { thirteen } from '../../../fixtures/changes';
import { engineUnderTest } from '../../../support/engine-under-test';
import { describeProofs } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

describeProofs(() => engine, thirteen);
