/** Thrown when a file or folder cannot be read or written. */
export class FileProblem extends Error {
  public override readonly name = 'FileProblem';

  /**
   * @param kind whether the path cannot be used ('unusable'), the contents are wrong ('damaged'), or the file could not be
   * written to the end ('unwritten')
   */
  public constructor(
    public readonly file: string,
    public readonly kind: 'unusable' | 'damaged' | 'unwritten',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Turns a system error about a file into a FileProblem; returns any other error unchanged. */
export function fileProblem(error: unknown, file: string, doing: 'read' | 'written'): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof FileProblem) return error;
  const kind = UNWRITTEN[code] === undefined ? 'unusable' : 'unwritten';
  return new FileProblem(file, kind, sentence(code, file, doing), { cause: error });
}

/** Whether a write failed because the disk is full or a size limit was reached. */
export function isFull(error: unknown): boolean {
  return Object.hasOwn(UNWRITTEN, codeOf(error) ?? '');
}

/** The errors that stop a write in the middle. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it is larger than a file may be here',
  EIO: 'the disk reports an error',
};

const UNUSABLE: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; name a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the disk is read-only',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EEXIST: 'a file of that name is in the way',
  EBUSY: 'another program is using it',
  ERR_INVALID_ARG_VALUE: 'its name is not a valid file name',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once',
};

function sentence(code: string, file: string, doing: 'read' | 'written'): string {
  const reason = UNWRITTEN[code] ?? UNUSABLE[code] ?? `the system says ${code}`;
  if (code === 'ENOENT') {
    return doing === 'read'
      ? `there is no '${file}'`
      : `'${file}' cannot be written: there is no such folder; make it first`;
  }
  return `'${file}' cannot be ${doing}: ${reason}`;
}

/** Only system errors have a code of this form. */
function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(E[A-Z0-9]+|ERR_[A-Z_]+)$/.test(code) ? code : undefined;
}
