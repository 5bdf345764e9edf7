import * as z from 'zod';

/** ISO timestamps in UTC with milliseconds, so that they sort as text. */
export const timestamp = z.iso.datetime({ precision: 3 });
export const uuid = z.uuid();
export const cognitoId = z.string().min(1);
export const json = z.record(z.string(), z.json());

/** Timestamps para auditoria. */
export const audit = { createdAt: timestamp, updatedAt: timestamp };

/** What a conversation is, in its own row and in the one that heads its messages. */
export const conversation = z.object({
  id: uuid,
  tenantId: uuid,
  userId: cognitoId,
  title: z.string(),
  summary: z.string(),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
  lastMessageAt: timestamp,
  ...audit,
});
