import { check, review } from '../../../lib/check/check';
import type { TableDesign } from '../../../lib/design/table';
import { telemetry } from '../../fixtures/sound/content';
import { soundDesigns } from '../../fixtures/sound-designs';

describe('a sound design', () => {
  test.each(soundDesigns)('gets no findings: $name', (design) => {
    expect(check(design)).toEqual([]);
  });

  test('acknowledges only what no check can know', () => {
    const acknowledged = soundDesigns.flatMap((design) => review(design).acknowledged);
    expect(acknowledged.map(({ rule, path }) => `${path} [${rule}]`)).toEqual([
      'entities.Reading.keys.SK [key-collision]',
      'entities.Appointment.attributes.slot [key-collision]',
    ]);
  });
});

test('warns that a time series may lose one of two simultaneous readings, until acknowledged', () => {
  const design: TableDesign = { ...telemetry, acknowledge: undefined };
  expect(check(design)).toMatchObject([
    {
      rule: 'key-collision',
      severity: 'warning',
      path: 'entities.Reading.keys.SK',
      cause: 'only-time-apart',
      subject: { proposed: '<at>#<id>' },
    },
  ]);
});
