import * as z from 'zod';

export const id = z.string().min(1);
export const map = z.record(z.string(), z.json());

const minute = z.iso.time({ precision: -1 });
/** A range of hours within a day, in the provider's time zone. */
export const timeRange = z.object({ startTime: minute, endTime: minute });
