/** Thrown when a file or folder cannot be read or written. */
export class FileProblem extends Error {
  public override readonly name = 'FileProblem';

  /**
   * @param kind 'unusable' if the path cannot be used, 'damaged' if the contents are wrong, 'unwritten' if the file
   * could not be written in full
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

/** Turns a system error about a file into a FileProblem, and returns any other error unchanged. */
export function fileProblem(error: unknown, file: string, doing: 'read' | 'written'): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof FileProblem) return error;
  const kind = UNWRITTEN[code] === undefined ? 'unusable' : 'unwritten';
  return new FileProblem(file, kind, sentence(code, file, doing), { cause: error });
}

/** Whether the error stopped a write midway: the disk is full or faulty, or a size limit was reached. */
export function isFull(error: unknown): boolean {
  return Object.hasOwn(UNWRITTEN, codeOf(error) ?? '');
}

/** Messages for the errors that stop a write midway, by error code. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EFBIG: 'the file exceeds the size limit',
  EIO: 'the disk reports an error',
};

const UNUSABLE: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; pass the path of a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the disk is read-only',
  ELOOP: 'the links in its path form a loop',
  ENAMETOOLONG: 'the file name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EEXIST: 'a file with this name already exists',
  EBUSY: 'another program is using the file',
  ERR_INVALID_ARG_VALUE: 'the name is not a valid file name',
  ERR_FS_FILE_TOO_LARGE: 'the file is too large to read at once',
  ERR_STRING_TOO_LONG: 'the file is too large to read at once',
};

function sentence(code: string, file: string, doing: 'read' | 'written'): string {
  const reason = UNWRITTEN[code] ?? UNUSABLE[code] ?? `the system reports ${code}`;
  if (code === 'ENOENT') {
    return doing === 'read'
      ? `there is no '${file}'`
      : `'${file}' cannot be written: its folder does not exist; create the folder first`;
  }
  return `'${file}' cannot be ${doing}: ${reason}`;
}

/** Returns an error's code if it looks like a system error code. */
function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^(E[A-Z0-9]+|ERR_[A-Z_]+)$/.test(code) ? code : undefined;
}
