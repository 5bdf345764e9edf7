import * as z from 'zod';

export const key = { partition: 'PartitionKey', sort: 'RowKey' } as const;
export const separator = '_';

export const uuid = z.uuid();
const [seconds, milliseconds, microseconds] = [0, 3, 6].map((precision) => z.iso.datetime({ precision })) as [
  z.ZodISODateTime,
  z.ZodISODateTime,
  z.ZodISODateTime,
];
const error = 'must be a time in UTC, such as 2025-01-15T10:30:00Z';
/**
 * Whole seconds in UTC, as the document's examples have them, and as they are written here. Python writes microseconds, and
 * none where there are none: those are read, and stay.
 */
export const timestamp = z.union([seconds, microseconds, milliseconds], { error });
/** The exact moment of a number: in milliseconds, where it is written here. */
export const moment = z.union([milliseconds, microseconds, seconds], { error });

/** The document's `int`: what Azure stores in 32 bits. */
const int = z.int().max(2_147_483_647);
export const positive = int.min(1);
/** "2020-2100 (sanidade)" */
export const year = int.min(2020).max(2100);

/** Everything a log says, also while it waits in its sequence to be written. */
const log = {
  Id: uuid,
  DocumentTypeId: uuid,
  DocumentTypeName: z.string().min(1),
  Number: positive,
  Year: year,
  UserId: uuid,
  UserName: z.string().min(1),
  UserEmail: z.email(),
  GeneratedAt: moment,
  /** Brasília, as the clock on the wall showed it. */
  GeneratedAtLocal: z.iso.datetime({ offset: true }),
};

const isOfItsYear = ({ Year, GeneratedAt }: { Year: number; GeneratedAt: string }) =>
  Year === Number(GeneratedAt.slice(0, 4));
const ofItsYear = { path: ['Year'], error: 'must be the year of GeneratedAt' };

/** Old logs have no FormattedNumber: `formattedNumber` makes it of the others, and `writeLog` insists on it. */
export const numberLog = z
  .object({ ...log, FormattedNumber: z.string().min(1).optional() })
  .refine(isOfItsYear, ofItsYear);

export const pendingLog = z.object({ ...log, FormattedNumber: z.string().min(1) }).refine(isOfItsYear, ofItsYear);

export const user = z
  .object({
    Id: uuid,
    Email: z.email(),
    Name: z.string().min(2).max(100),
    PasswordHash: z.string().min(1).optional(),
    Role: z.enum(['admin', 'user']),
    IsActive: z.boolean(),
    MustChangePassword: z.boolean(),
    CreatedAt: timestamp,
    UpdatedAt: timestamp,
    /**
     * An e-mail that the user is about to get, and since when: until the row says so itself, it is not the user's. A user
     * who is being made has nothing else, and is to be active as it says here.
     */
    PendingEmail: z
      .object({ Email: z.email(), Since: timestamp, IsNew: z.boolean(), IsActive: z.boolean() })
      .optional(),
  })
  .refine(({ PasswordHash, MustChangePassword }) => MustChangePassword || PasswordHash !== undefined, {
    path: ['PasswordHash'],
    error: 'must be there unless MustChangePassword is true',
  });

export const documentType = z.object({
  Id: uuid,
  Name: z.string().min(2).max(50),
  /** "Prefixo opcional": 1 to 10 letters and digits. */
  Prefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,10}$/, { error: 'must be 1 to 10 letters and digits' })
    .optional(),
  IsActive: z.boolean(),
  SortOrder: positive,
  CreatedAt: timestamp,
  UpdatedAt: timestamp,
  /** A name that the type is about to be active under, and since when: until the row says so itself, it is not. */
  PendingName: z.object({ Name: z.string().min(2).max(50), Since: timestamp, IsNew: z.boolean() }).optional(),
});
