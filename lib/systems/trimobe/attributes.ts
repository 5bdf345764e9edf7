import * as z from 'zod';

/** ISO times in UTC of any precision; write `new Date().toISOString()`, so that all that you write sorts as text. */
export const timestamp = z.iso.datetime();
export const uuid = z.uuid();
export const cognitoId = z.string().min(1);
export const json = z.record(z.string(), z.json());

/** Timestamps para auditoria. */
export const audit = { createdAt: timestamp, updatedAt: timestamp };

/** The details of a conversation that its header repeats. */
export const details = {
  id: uuid,
  tenantId: uuid,
  userId: cognitoId,
  title: z.string(),
  summary: z.string(),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
};
