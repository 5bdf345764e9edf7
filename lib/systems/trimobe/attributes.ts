import * as z from 'zod';
import { timestamp } from '../times';

export const uuid = z.uuid();
export const cognitoId = z.string().min(1);
export const json = z.record(z.string(), z.json());

/** Timestamps para auditoria. */
export const audit = { createdAt: timestamp, updatedAt: timestamp };

/** A conversation's details, which its header repeats. */
export const details = {
  id: uuid,
  tenantId: uuid,
  userId: cognitoId,
  title: z.string(),
  summary: z.string(),
  status: z.enum(['ACTIVE', 'ARCHIVED']),
};
