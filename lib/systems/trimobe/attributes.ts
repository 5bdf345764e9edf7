import * as z from 'zod';
import { timestamp } from '../times';

export const uuid = z.uuid();
export const cognitoId = z.string().min(1);
export const json = z.record(z.string(), z.json());

/** Timestamps para auditoria. */
export const audit = { createdAt: timestamp, updatedAt: timestamp };

/** The details of a conversation, which the conversation's header repeats. */
export const details = {
  id: uuid,
  tenantId: uuid,
  userId: cognitoId,
  title: z.string(),
  summary: z.string(),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
};
