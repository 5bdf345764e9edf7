import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { defineCases } from '../../../lib/proof/cases';

/** Sensor readings. Their keys use the formats `encoded`, `upper` and `bucket`, and contain the entity type. */
export const readingsTable = defineTable({
  name: 'readings',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byUnit: { partition: 'GSI1PK', sort: 'GSI1SK' } },
  typeAttribute: 'kind',
  entities: {
    Sensor: {
      attributes: z.object({ site: z.string(), label: z.string(), unit: z.string() }),
      keys: { PK: 'SITE#<site>', SK: '<kind>#<label:encoded>', GSI1PK: 'UNIT#<unit:upper>', GSI1SK: '<label:encoded>' },
      keyOnly: ['label'],
    },
    Reading: {
      attributes: z.object({ site: z.string(), at: z.iso.datetime({ precision: 3 }), value: z.number() }),
      keys: { PK: 'SITE#<site>#<at:bucket(15m)>', SK: '<kind>#<at>' },
    },
  },
  patterns: {
    sensor: { op: 'get', where: { PK: 'SITE#<site>', SK: 'Sensor#<label>' }, returns: ['Sensor'] },
    sensors: {
      op: 'query',
      where: { PK: 'SITE#<site>', SK: { beginsWith: 'Sensor#<start?>' } },
      returns: ['Sensor'],
      orderBy: 'label',
    },
    sensorsOfUnit: { op: 'query', index: 'byUnit', where: { GSI1PK: 'UNIT#<unit>' }, returns: ['Sensor'] },
    addSensor: { op: 'put', entity: 'Sensor' },
    readings: { op: 'query', where: { PK: 'SITE#<site>#<at>' }, returns: ['Reading'], orderBy: 'at' },
    addReading: { op: 'put', entity: 'Reading' },
  },
  acknowledge: { 'key-collision': { 'entities.Reading.keys.SK': 'a site has one reading in a millisecond' } },
});

export const readings = defineSystem({ name: 'readings', cloud: 'aws', tables: { readings: readingsTable } });

const sensor = (label: string, unit: string, site = 'a') => ['Sensor', { site, label, unit }] as const;
const reading = (at: string, value: number, site = 'a') =>
  ['Reading', { site, at: `2026-05-06T${at}.000Z`, value }] as const;

const REFUSED = 'ConditionalCheckFailedException';

export const readingsCases = defineCases(readings, {
  tables: {
    readings: {
      items: {
        unnamed: sensor('', 'lx'),
        plain: sensor('C', 'v'),
        sharp: sensor('C#', 'V'),
        path: sensor('C/1', 'v'),
        quoted: sensor('"C"', 'lx'),
        elsewhere: sensor('C', 'lx', 'b'),
        late: reading('12:29:59', 1),
        first: reading('12:30:00', 2),
        last: reading('12:44:59', 3),
        next: reading('12:45:00', 4),
        other: reading('12:31:00', 5, 'b'),
      },
      written: { newSensor: sensor('C?', 'Mv'), newReading: reading('12:31:00', 6) },
      stored: {
        unnamed: { PK: 'SITE#a', SK: 'Sensor#!0', GSI1PK: 'UNIT#LX', GSI1SK: '!0' },
        sharp: { PK: 'SITE#a', SK: 'Sensor#C"1', GSI1PK: 'UNIT#V', GSI1SK: 'C"1' },
        last: { PK: 'SITE#a#2026-05-06T12:30', SK: 'Reading#2026-05-06T12:44:59.000Z' },
      },
      patterns: {
        sensor: { values: { site: 'a', label: 'C#' }, returns: ['sharp'] },
        sensors: { values: { site: 'a', start: 'C' }, returns: ['plain', 'sharp', 'path'] },
        sensorsOfUnit: { values: { unit: 'v' }, returns: ['plain', 'sharp', 'path'] },
        addSensor: {
          values: sensor('C?', 'Mv')[1],
          shows: [
            { pattern: 'sensor', values: { site: 'a', label: 'C?' }, returns: ['newSensor'] },
            { pattern: 'sensorsOfUnit', values: { unit: 'mV' }, returns: ['newSensor'] },
          ],
          refuses: [{ why: 'the same label', values: sensor('C?', 'v')[1], error: REFUSED }],
        },
        readings: { values: { site: 'a', at: '2026-05-06T12:40:00.000Z' }, returns: ['first', 'last'] },
        addReading: {
          values: reading('12:31:00', 6)[1],
          shows: [
            {
              pattern: 'readings',
              values: { site: 'a', at: '2026-05-06T12:30:00.000Z' },
              returns: ['first', 'newReading', 'last'],
            },
          ],
          refuses: [{ why: 'the same time', values: reading('12:31:00', 7)[1], error: REFUSED }],
        },
      },
    },
  },
});
