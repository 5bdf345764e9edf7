import { App } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { freeText } from '../../../constructs/aws/free-text';
import { SystemStack } from '../../../constructs/aws/system-stack';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';

const SECRET = '{{resolve:secretsmanager:prod:SecretString:password}}';

test.each([SECRET, `{${SECRET}}`, `{{${SECRET}`, `a {{ b ${SECRET}`])(
  '`freeText` leaves no dynamic reference in %j',
  (text) => {
    expect(freeText(text)).not.toContain('{{');
    expect(freeText(text).replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  },
);

test('`freeText` leaves text without double braces unchanged', () => {
  expect(freeText('{ a: { b } } }}')).toBe('{ a: { b } } }}');
});

test('no text in a design makes CloudFormation resolve a secret', () => {
  const notes = defineTable({
    name: 'notes',
    purpose: SECRET,
    key: { partition: 'PK', sort: 'SK' },
    indexes: { byDay: { partition: 'day', purpose: SECRET } },
    entities: {
      Note: {
        attributes: z.object({ id: z.string(), day: z.string() }),
        keys: { PK: 'NOTE#<id>', SK: 'NOTE' },
      },
    },
    patterns: {
      note: { purpose: SECRET, op: 'get', where: { PK: 'NOTE#<id>', SK: 'NOTE' }, returns: ['Note'] },
      notesOfDay: { purpose: SECRET, op: 'query', index: 'byDay', where: { day: '<day>' }, returns: ['Note'] },
    },
  });
  const design = defineSystem({ name: 'pad', purpose: SECRET, cloud: 'aws', tables: { notes } });
  for (const environment of ['dev', 'prod'] as const) {
    const app = new App();
    new SystemStack(app, 'Pad', { design, environment, env: { region: 'eu-west-1', account: '111122223333' } });
    expect(JSON.stringify(app.synth().getStackByName('Pad').template)).not.toContain('{{resolve');
  }
});
