import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import type { TableDesign } from '../../../../lib/design/table';

const at = z.iso.datetime({ precision: 3 });

/** A sound design; each test plants one fault in it, and expects one finding. */
const chat: TableDesign = {
  name: 'chat',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    inbox: { partition: 'GSI1PK', sort: 'GSI1SK' },
    byText: { partition: 'text', sort: 'at', projection: ['id'] },
  },
  entities: {
    Room: { attributes: z.object({ room: z.string(), title: z.string() }), keys: { PK: 'ROOM#<room>', SK: 'META' } },
    Member: {
      attributes: z.object({ room: z.string(), user: z.string(), seenAt: at }),
      keys: { PK: 'ROOM#<room>', SK: 'MEMBER#<user>', GSI1PK: 'USER#<user>', GSI1SK: '<seenAt>#<room>' },
    },
    Message: {
      attributes: z.object({ room: z.string(), id: z.uuid(), at, text: z.string(), n: z.int().min(0).max(99) }),
      keys: { PK: 'ROOM#<room>', SK: 'MSG#<at>#<id>' },
    },
  },
  patterns: {
    room: { op: 'get', where: { PK: 'ROOM#<room>', SK: 'META' }, returns: ['Room'] },
    members: { op: 'query', where: { PK: 'ROOM#<room>', SK: { beginsWith: 'MEMBER#' } }, returns: ['Member'] },
    inbox: { op: 'query', index: 'inbox', where: { GSI1PK: 'USER#<user>' }, returns: ['Member'], orderBy: 'seenAt' },
    search: { op: 'query', index: 'byText', where: { text: '<text>' }, returns: ['Message'], select: ['id', 'at'] },
  },
};

const { inbox, members } = chat.patterns as Record<string, object>;
const { Member, Room } = chat.entities as Record<'Member' | 'Room', TableDesign['entities'][string]>;

function found(change: object): readonly string[] {
  return check({ ...chat, ...change } as TableDesign).map(({ path, rule }) => `${path} [${rule}]`);
}

const withPattern = (name: string, change: object) =>
  found({ patterns: { ...chat.patterns, [name]: { ...(name === 'inbox' ? inbox : members), ...change } } });

const withMember = (keys: object) =>
  found({ entities: { ...chat.entities, Member: { ...Member, keys: { ...Member.keys, ...keys } } } });

test('returns no findings for the sound design', () => {
  expect(found({})).toEqual([]);
});

describe('one finding per fault', () => {
  test('reports one finding for an unknown index, even though a different index is unused', () => {
    expect(withPattern('inbox', { index: 'inbx' })).toEqual(['patterns.inbox.index [unknown-name]']);
  });

  test('reports one finding for an index whose keys differ from the keys in the pattern', () => {
    expect(withPattern('inbox', { index: 'byText' })).toEqual(['patterns.inbox.index [unknown-name]']);
    expect(withPattern('inbox', { index: undefined })).toEqual(['patterns.inbox.index [unknown-name]']);
  });

  test('reports one finding for an unknown entity, and no `pattern-pollution`', () => {
    expect(withPattern('members', { returns: ['Membre'] })).toEqual(['patterns.members.returns [unknown-name]']);
  });

  test('reports one finding for a misspelled key, even though the correct key is missing', () => {
    const where = { Pk: 'ROOM#<room>', SK: { beginsWith: 'MEMBER#' } };
    expect(withPattern('members', { where })).toEqual(['patterns.members.where.Pk [unknown-name]']);
  });

  test('reports one finding for an order by an unknown attribute', () => {
    expect(withPattern('inbox', { orderBy: 'seen' })).toEqual(['patterns.inbox.orderBy [unknown-name]']);
  });

  test.each(['USER#<user:hex>', 'USER#<user', '', 'USER#<>'])(
    'reports one finding for the template %j, which has a syntax error',
    (text) => {
      expect(withMember({ GSI1PK: text })).toEqual(['entities.Member.keys.GSI1PK [template-syntax]']);
      expect(withMember({ SK: text })).toEqual(['entities.Member.keys.SK [template-syntax]']);
    },
  );

  test('reports one finding for an entity that has only one of two index keys', () => {
    const { GSI1SK: _, ...keys } = Member.keys as Record<string, string>;
    expect(found({ entities: { ...chat.entities, Member: { ...Member, keys } } })).toEqual([
      'entities.Member.keys [incomplete-key]',
    ]);
  });

  test("reports one finding for an entity that lacks the table's sort key", () => {
    expect(found({ entities: { ...chat.entities, Room: { ...Room, keys: { PK: 'ROOM#<room>' } } } })).toEqual([
      'entities.Room.keys [incomplete-key]',
    ]);
  });

  test('reports one finding for a misspelled key of an entity, even though the correct key is missing', () => {
    const entities = { ...chat.entities, Room: { ...Room, keys: { PK: 'ROOM#<room>', SX: 'META' } } };
    expect(found({ entities })).toEqual(['entities.Room.keys.SX [unknown-name]']);
  });

  describe('an update of a unique value', () => {
    const unique = { title: { keys: { PK: 'TITLE#<title>', SK: 'TITLE' } } };
    const renamed = (keys: Record<string, string>, where: object, condition: object = { title: '<former>' }) => {
      const rename = { op: 'update', entity: 'Room', where, set: { title: '<title>' }, condition };
      return found({
        entities: { ...chat.entities, Room: { ...Room, keys, unique } },
        patterns: { ...chat.patterns, rename },
      });
    };
    const keys = { PK: 'ROOM#<room>', SK: 'META' };

    test('reports the former value only if the key of the entity is complete', () => {
      expect(renamed(keys, keys)).toEqual([]);
      expect(renamed(keys, keys, {})).toEqual(['patterns.rename.condition [unsound-unique]']);
      expect(renamed({ PK: 'ROOM#<room>' }, keys)).toEqual(['entities.Room.keys [incomplete-key]']);
      expect(renamed({ PK: 'ROOM#<room>', SX: 'META' }, keys)).toEqual(['entities.Room.keys.SX [unknown-name]']);
    });

    test('reports the former value only if the update can find an item', () => {
      const where = { ...keys, PK: 'ROOMS#<room>' };
      expect(renamed(keys, where)).toEqual(['patterns.rename.where.PK [pattern-unserved]']);
    });
  });

  test('reports one finding for an index on an attribute that no entity has', () => {
    const indexes = { ...chat.indexes, inbox: { partition: 'GSI9PK' } };
    const { PK, SK } = Member.keys as Record<string, string>;
    const entities = { ...chat.entities, Member: { ...Member, keys: { PK, SK } } };
    const where = { GSI9PK: 'USER#<user>' };
    const patterns = { ...chat.patterns, inbox: { ...inbox, where, orderBy: undefined } };
    expect(found({ indexes, entities, patterns })).toEqual(['indexes.inbox.partition [unknown-name]']);
  });

  test('reports one finding for an attribute that is both partition and sort key', () => {
    expect(found({ key: { partition: 'PK', sort: 'PK' } })).toEqual(['key.sort [limits]']);
    const indexes = { ...chat.indexes, inbox: { partition: 'GSI1PK', sort: 'GSI1PK' } };
    expect(found({ indexes })).toEqual(['indexes.inbox.sort [limits]']);
  });

  test('reports one finding for an impossible projection', () => {
    const indexes = { ...chat.indexes, byText: { partition: 'text', sort: 'at', projection: [] } };
    expect(found({ indexes })).toEqual(['indexes.byText.projection [limits]']);
  });

  test('reports one finding for a padding width that differs between pattern and key', () => {
    const withWidths = (inKey: string, inPattern: string) => {
      const Message = { ...chat.entities.Message, keys: { PK: 'ROOM#<room>', SK: `MSG#${inKey}` } };
      const where = { PK: 'ROOM#<room>', SK: `MSG#${inPattern}` };
      const nth = { op: 'get', where, returns: ['Message'] };
      return found({ entities: { ...chat.entities, Message }, patterns: { ...chat.patterns, nth } });
    };
    expect(withWidths('<n:2>', '<n:2>')).toEqual([]);
    expect(withWidths('<n:2>', '<n:3>')).toEqual(['patterns.nth.where.SK [unpadded-number]']);
    expect(withWidths('<n:1>', '<n:2>')).toEqual(['entities.Message.keys.SK [unkeyable]']);
  });

  test('reports one finding for an index that duplicates another, even though no pattern reads it', () => {
    const indexes = { ...chat.indexes, again: { partition: 'GSI1PK', sort: 'GSI1SK' } };
    expect(found({ indexes })).toEqual(['indexes.again [redundant-index]']);
  });

  test('reports one finding for a tenant that no entity has', () => {
    const system = { name: 'talk', cloud: 'aws', tenant: 'rooom', tables: { chat } } as const;
    expect(check(system)).toMatchObject([{ path: 'tenant', cause: 'tenant', subject: { proposed: 'room' } }]);
  });
});

test('reports two findings for two faults', () => {
  const patterns = {
    ...chat.patterns,
    inbox: { ...inbox, index: 'inbx' },
    members: { ...members, where: { PK: 'ROOM#<room>' } },
  };
  expect(found({ patterns })).toEqual([
    'patterns.members.where [pattern-pollution]',
    'patterns.inbox.index [unknown-name]',
  ]);
});

describe('names that equal field names', () => {
  test('reports every fault of an update, even if an attribute has the same name as a pattern field', () => {
    const where = { PK: 'ROOM#<room>', SK: 'MEMBER#<user>' };
    const touch = { op: 'update', entity: 'Member', where, set: { keys: 'x', user: '<other>' } };
    expect(found({ patterns: { ...chat.patterns, touch } })).toEqual([
      'patterns.touch.set.keys [unknown-name]',
      'patterns.touch.set.user [unwritable]',
    ]);
  });

  test("reports every fault of a pattern whose name looks like the path to another pattern's field", () => {
    const patterns = {
      ...chat.patterns,
      members: { ...members, where: { PK: 'ROOM#<room>' } },
      'members.where': { ...members, where: { PK: 'ROOMS#<room>' } },
    };
    expect(found({ patterns })).toEqual([
      'patterns.members.where [pattern-pollution]',
      'patterns.members.where.where.PK [pattern-unserved]',
    ]);
  });

  test('reports the fault of a step even if another step has the name of a pattern field', () => {
    const where = { PK: 'ROOM#<room>', SK: 'MEMBER#<user>' };
    const enter = {
      op: 'transaction',
      steps: {
        keys: { op: 'update', entity: 'Membre', where, set: { user: '<other>' } },
        other: { op: 'update', entity: 'Member', where, set: { user: '<other>' } },
      },
    };
    expect(found({ patterns: { ...chat.patterns, enter } })).toContain(
      'patterns.enter.steps.other.set.user [unwritable]',
    );
  });
});
