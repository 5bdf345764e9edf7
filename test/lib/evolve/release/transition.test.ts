import { z } from 'zod';
import type { TableDesign } from '../../../../lib/design/table';
import { lockOf, planFor } from '../../../../lib/evolve';
import { transitionOf } from '../../../../lib/evolve/release/transition';
import { documented, transporte } from '../../../../lib/systems';
import { deployedNotes, diaryLock, diaryOf } from '../../../fixtures/azure-changes';

const { Note, Reminder } = deployedNotes.entities;

test('stores a value from the new key as an attribute while items still have the old key', () => {
  const after = {
    ...deployedNotes,
    entities: {
      Note: { ...Note, keys: { ...Note.keys, RowKey: 'NOTE_<noteId>_<stars>' }, keyOnly: ['owner', 'noteId', 'stars'] },
      Reminder,
    },
    patterns: { addNote: deployedNotes.patterns.addNote },
  };
  const because = { 'tables.Notes.patterns': 'nobody calls them' };
  const { items } = planFor(diaryLock, diaryOf(after), { because });
  const { old, now } = transitionOf(deployedNotes, after, items, false);
  expect(old.entities.Note?.keyOnly).toEqual(['owner', 'noteId']);
  expect(now.entities.Note?.keyOnly).toEqual(['owner', 'noteId', 'stars']);
});

test('reads a renamed attribute from the old key, and remembers the former name of the entity', () => {
  const after = {
    ...deployedNotes,
    entities: {
      Memo: {
        attributes: z.object({ ...Note.attributes.omit({ noteId: true }).shape, memoId: z.string() }),
        keys: { PartitionKey: 'OWNER_<owner>', RowKey: 'MEMO_<memoId>' },
      },
      Reminder,
    },
    patterns: {},
  };
  const answers = {
    renamed: { 'Notes.Note': 'Memo', 'Notes.Note.noteId': 'memoId' },
    because: { 'tables.Notes.patterns': 'nobody calls them' },
  };
  const before = lockOf(diaryOf(deployedNotes), { environment: 'prod' });
  const { old, formerNames } = transitionOf(
    deployedNotes,
    after,
    planFor(before, diaryOf(after), answers).items,
    false,
  );
  expect(old.entities.Memo).toMatchObject({
    keys: { PartitionKey: 'OWNER_<owner>', RowKey: 'NOTE_<memoId>' },
    keyOnly: ['owner', 'memoId'],
  });
  expect([...formerNames]).toEqual([
    ['Memo', 'Note'],
    ['Reminder', 'Reminder'],
  ]);
});

test('the old index keeps its old condition, and the new index has the new condition', () => {
  const ordersOf = (index: string, states: readonly string[]) => ({
    name: 'orders',
    key: { partition: 'PK' },
    indexes: { [index]: { partition: `${index}PK` } },
    entities: {
      Order: {
        attributes: z.object({ id: z.string(), state: z.string() }),
        keys: { PK: 'ORDER#<id>', [`${index}PK`]: 'STATE#<state>' },
        indexes: { [index]: { while: { state: states } } },
      },
    },
    patterns: {},
  });
  const { old, now } = transitionOf(ordersOf('GSI1', ['open']), ordersOf('GSI2', ['paid']), [], false);
  for (const { entities } of [old, now]) {
    expect(entities.Order?.indexes).toEqual({
      GSI1: { while: { state: ['open'] } },
      GSI2: { while: { state: ['paid'] } },
    });
  }
});

test('a key that is optional in a batch stays optional', () => {
  const { design, answers } = documented.transporte();
  const { items } = planFor(lockOf(design, { environment: 'prod' }), transporte, answers);
  const { TransporteApp: before } = design.tables;
  const { old } = transitionOf(before as TableDesign, transporte.tables.TransporteApp, items, false);
  expect(old.patterns?.tripResources).toMatchObject({ keys: { remolque: { SK: 'REMOLQUE#<remolqueId?>' } } });
});
