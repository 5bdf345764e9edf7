import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { strictDatabase } from '../../../../lib/proof/shadow/strict';
import { describeDatabase } from '../../dynamodb/engine/contract';

// What it refuses is shown in cloudformation.slow.test.ts.
describeDatabase('strict', async () => strictDatabase(await embeddedEngine()));
