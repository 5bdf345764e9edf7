import * as z from 'zod';

/** A UTC time of any precision: with whole seconds, as in the document's examples, or as `Date.toISOString()` writes it. */
export const timestamp = z.iso.datetime();
export const id = z.string().min(1);
export const map = z.record(z.string(), z.json());

const minute = z.iso.time({ precision: -1 });
/** Hours of a day in the provider's time zone, such as 09:00 to 13:00. */
export const timeRange = z.object({ startTime: minute, endTime: minute });
