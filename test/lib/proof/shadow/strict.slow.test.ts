import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { strictDatabase } from '../../../../lib/proof/shadow/strict';
import { describeDatabase } from '../../dynamodb/engine/contract';

// `cloudformation.slow.test.ts` tests what the strict engine refuses.
describeDatabase('strict', async () => strictDatabase(await embeddedEngine()));
