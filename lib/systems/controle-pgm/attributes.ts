import * as z from 'zod';
import { timestampOnAzure } from '../times';

export const key = { partition: 'PartitionKey', sort: 'RowKey' } as const;
export const separator = '_';

export const uuid = z.uuid();
const text = z.string().min(1);

/** The library writes whole seconds, as in the document's examples, and also reads Python's microseconds. */
export const timestamp = timestampOnAzure(0);
/** The document's "timestamp exato da geração", which the library writes with millisecond precision. */
const moment = timestampOnAzure(3);

/** The document's `int`, which Azure stores in 32 bits. */
const int = z.int().max(2_147_483_647);
export const positive = int.min(1);
export const FIRST_YEAR = 2020;
/** "2020-2100 (sanidade)" */
export const year = int.min(FIRST_YEAR).max(2100);

/** A log's values, which the sequence also stores until the log is written. */
const log = {
  Id: uuid,
  DocumentTypeId: uuid,
  DocumentTypeName: text,
  Number: positive,
  Year: year,
  FormattedNumber: text,
  UserId: uuid,
  UserName: text,
  UserEmail: z.email(),
  GeneratedAt: moment,
  /** The local time in Brasília. */
  GeneratedAtLocal: z.iso.datetime({ offset: true }),
};

const isOfItsYear = ({ Year, GeneratedAt }: { Year: number; GeneratedAt: string }) =>
  Year === Number(GeneratedAt.slice(0, 4));
const ofItsYear = { path: ['Year'], error: 'must equal the year of GeneratedAt' };

export const pendingLog = z.object(log).refine(isOfItsYear, ofItsYear);
/** nextNumber always writes FormattedNumber, but older logs lack it ("v1: FormattedNumber não existia"). */
export const numberLog = z.object({ ...log, FormattedNumber: text.optional() }).refine(isOfItsYear, ofItsYear);

export const user = z
  .object({
    Id: uuid,
    Email: z.email(),
    Name: z.string().min(2).max(100),
    PasswordHash: text.optional(),
    Role: z.enum(['admin', 'user']),
    IsActive: z.boolean(),
    MustChangePassword: z.boolean(),
    CreatedAt: timestamp,
    UpdatedAt: timestamp,
  })
  .refine(({ PasswordHash, MustChangePassword }) => MustChangePassword || PasswordHash !== undefined, {
    path: ['PasswordHash'],
    error: 'is required unless MustChangePassword is true',
  });

export const documentType = z.object({
  Id: uuid,
  Name: z.string().min(2).max(50),
  /** The document's "Prefixo opcional": 1 to 10 letters and digits. */
  Prefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,10}$/, { error: 'must be 1 to 10 letters and digits' })
    .optional(),
  IsActive: z.boolean(),
  SortOrder: positive,
  CreatedAt: timestamp,
  UpdatedAt: timestamp,
});
