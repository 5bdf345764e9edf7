import { client } from '../../../lib/dynamodb/client';
import { trimobe } from '../../../lib/systems';
import { ruralCreditAITable } from '../../../lib/systems/trimobe/design';
import { embedded } from '../../support/embedded';

const tables = embedded(trimobe);
const app = client(ruralCreditAITable, tables.nameOf('RuralCreditAI'), tables.send);
const tenantId = '11111111-1111-4111-8111-111111111111';
const id = '00000000-0000-4000-8000-000000000001';
const at = '2025-01-15T10:30:00.000Z';
const file = { tenantId, fileId: id, updatedAt: '2025-01-16T10:30:00.000Z' };
const analysis = { hectares: 12 };

const createFile = (status: 'PROCESSING' | 'READY' | 'ERROR') =>
  app.createFile({
    ...{ id, tenantId, userId: 'ana', name: 'mapa.png', type: 'image/png', size: 1, s3Key: 'k', status },
    ...(status === 'READY' ? { analysis } : {}),
    ...{ createdAt: at, updatedAt: at },
  });

const writes = {
  ready: () => app.markFileReady({ ...file, analysis }),
  failed: () => app.markFileFailed(file),
  again: () => app.processFileAgain(file),
};

test.each([
  ['PROCESSING', ['READY', analysis], ['ERROR', undefined], undefined],
  ['READY', undefined, undefined, ['PROCESSING', undefined]],
  ['ERROR', undefined, undefined, ['PROCESSING', undefined]],
] as const)('a file that is %s becomes what it can, with its analysis or without', async (status, ...expected) => {
  for (const [i, write] of Object.values(writes).entries()) {
    await createFile(status);
    const outcome = write().then(
      async () => {
        const { status: is, analysis: has } = (await app.getFile(file)) ?? {};
        return [is, has];
      },
      (error: Error) => error.name,
    );
    expect(await outcome).toEqual(expected[i] ?? 'ConditionalCheckFailedException');
    await app.deleteFile(file);
  }
});

test('a file is READY with its analysis, and never without', async () => {
  await createFile('PROCESSING');
  // @ts-expect-error: the analysis is not given
  await expect(app.markFileReady(file)).rejects.toThrow('analysis');
  expect((await app.getFile(file))?.status).toBe('PROCESSING');
});
