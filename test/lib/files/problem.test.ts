import { FileProblem, fileProblem } from '../../../lib/files/problem';

const system = (code: string) => Object.assign(new Error(`${code}: no such thing, open '/x.partial'`), { code });

test.each([
  ['ENOENT', 'read', 'unusable', "there is no 'x'"],
  ['ENOENT', 'written', 'unusable', "'x' cannot be written: its folder does not exist; create the folder first"],
  ['EISDIR', 'read', 'unusable', "'x' cannot be read: it is a folder; pass the path of a file"],
  ['EACCES', 'read', 'unusable', "'x' cannot be read: this user has no permission"],
  ['EACCES', 'written', 'unusable', "'x' cannot be written: this user has no permission"],
  ['EROFS', 'written', 'unusable', "'x' cannot be written: the disk is read-only"],
  ['ENOSPC', 'written', 'unwritten', "'x' cannot be written: the disk is full"],
  ['EDQUOT', 'written', 'unwritten', "'x' cannot be written: the disk quota is exhausted"],
  ['ENEW', 'read', 'unusable', "'x' cannot be read: the system reports ENEW"],
] as const)('explains the error %s for a file that is being %s', (code, doing, kind, message) => {
  const cause = system(code);
  expect(fileProblem(cause, 'x', doing)).toEqual(expect.objectContaining({ file: 'x', kind, message, cause }));
});

test.each([
  new Error('lost'),
  Object.assign(new Error('no'), { code: 7 }),
  Object.assign(new Error('no'), { code: 'TableNotFound' }),
  new FileProblem('y', 'damaged', 'it is damaged'),
  undefined,
])('returns an error unchanged if it is not a file system error (%#)', (error) => {
  expect(fileProblem(error, 'x', 'read')).toBe(error);
});
