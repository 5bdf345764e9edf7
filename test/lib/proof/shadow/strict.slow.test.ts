import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { strictDatabase } from '../../../../lib/proof/shadow/strict';
import { describeDatabase } from '../../dynamodb/engine/contract';

// cloudformation.slow.test.ts tests the refusals of the strict engine.
describeDatabase('strict', async () => strictDatabase(await embeddedEngine()));
