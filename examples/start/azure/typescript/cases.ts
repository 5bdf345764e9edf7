import { defineCases } from 'tablewright/proof';
import { register } from './design';

const document = (number: number, state: 'draft' | 'filed') =>
  ['Document', { department: 'legal', number, subject: 'A contract', state }] as const;

export const registerCases = defineCases(register, {
  tables: {
    Documents: {
      // These items exist before every case. Include neighbors that a pattern must not return.
      items: {
        first: document(1, 'draft'),
        second: document(2, 'filed'),
        other: ['Document', { department: 'sales', number: 1, subject: 'An offer', state: 'draft' }],
      },
      written: { third: document(3, 'draft'), firstFiled: document(1, 'filed') },
      // The exact stored keys, because other programs may rely on them.
      stored: { first: { PartitionKey: 'legal', RowKey: '000001' } },
      patterns: {
        getDocument: { values: { department: 'legal', number: 1 }, returns: ['first'] },
        documentsOfDepartment: { values: { department: 'legal' }, returns: ['first', 'second'] },
        addDocument: {
          values: document(3, 'draft')[1],
          shows: [{ pattern: 'getDocument', values: { department: 'legal', number: 3 }, returns: ['third'] }],
        },
        fileDocument: {
          values: { department: 'legal', number: 1 },
          reads: { pattern: 'getDocument', values: { department: 'legal', number: 1 } },
          shows: [{ pattern: 'getDocument', values: { department: 'legal', number: 1 }, returns: ['firstFiled'] }],
          refuses: [
            {
              why: 'another caller changed the document since it was read',
              values: { department: 'legal', number: 1 },
              error: 'EntityChanged',
            },
          ],
        },
      },
    },
  },
});
