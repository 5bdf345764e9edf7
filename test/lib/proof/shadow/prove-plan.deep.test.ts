import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { thirteen } from '../../../fixtures/changes';
import { describeProofs } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

describeProofs(() => engine, thirteen);
