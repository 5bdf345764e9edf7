import { z } from 'zod';
import { type CheckOptions, check } from '../../../lib/check/check';
import type { PatternDesign, QueryPattern } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import { told } from '../../fixtures/designs';
import { blogDocument } from '../../fixtures/documents/blog';
import {
  bookingsDocument,
  controlePgmDocument,
  ruralCreditDocument,
  transporteDocument,
} from '../../fixtures/documents/others';

/** Returns the findings at a path or below it, in a design with the given patterns. */
function foundAt(
  place: string,
  design: TableDesign | SystemDesign,
  patterns?: Record<string, PatternDesign>,
  options?: CheckOptions,
) {
  return check(patterns === undefined ? design : ({ ...design, patterns } as TableDesign), options)
    .filter(({ path }) => path === place || path.startsWith(`${place}.`))
    .map((finding) => {
      const { path: _, ...rest } = told(finding);
      return { rule: finding.rule, ...rest };
    });
}

/** Returns the findings about `mine`, the only pattern of the design. */
const foundIn = (design: TableDesign, mine: PatternDesign) => foundAt('patterns.mine', design, { mine });

const query = (where: QueryPattern['where'], rest: Partial<QueryPattern> & { returns: string[] }): QueryPattern => ({
  op: 'query',
  where,
  ...rest,
});

describe("traps in the blog's specification", () => {
  test('reports a query for posts by category that reads the whole partition, because it also returns subcategories', () => {
    // Query { IndexName: "GSI1", KeyConditionExpression: "GSI1PK = :category", ScanIndexForward: false, Limit: 10 }
    const mine = query(
      { GSI1PK: 'CATEGORY#<category>' },
      { index: 'GSI1', returns: ['Post'], order: 'descending', pageSize: 10 },
    );
    expect(foundIn(blogDocument, mine)).toEqual([
      {
        severity: 'error',
        rule: 'pattern-pollution',
        cause: 'whole-partition',
        entities: ['Subcategory'],
        proposed: "{ beginsWith: 'POST#' }",
      },
    ]);
    expect(foundIn(blogDocument, { ...mine, where: { ...mine.where, GSI1SK: { beginsWith: 'POST#' } } })).toEqual([]);
  });

  test("reports a query for a user's posts that reads the whole partition, because it also returns comments and likes", () => {
    // Query { IndexName: "GSI2", KeyConditionExpression: "GSI2PK = :author", ScanIndexForward: false }
    const mine = query({ GSI2PK: 'AUTHOR#<author>' }, { index: 'GSI2', returns: ['Post'], order: 'descending' });
    expect(foundIn(blogDocument, mine)).toEqual([
      {
        severity: 'error',
        rule: 'pattern-pollution',
        cause: 'whole-partition',
        entities: ['Comment', 'Like'],
        proposed: "{ beginsWith: 'POST#' }",
      },
    ]);
  });

  test('reports a query for root comments with the prefix COMMENT#, because it also returns replies', () => {
    // Query { PK: "POST#<postId>", SK: "COMMENT#" }
    const mine = query({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }, { returns: ['Comment'] });
    expect(foundIn(blogDocument, mine)).toMatchObject([
      { rule: 'pattern-pollution', cause: 'same-range', entities: ['Reply'] },
    ]);
  });

  test('reports a query for replies with the prefix COMMENT#<commentId>#, because it also returns the root comment', () => {
    // Query { PK: "POST#<postId>", SK: "COMMENT#<commentId>#" }
    const mine = query({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#<commentId>#' } }, { returns: ['Reply'] });
    expect(foundIn(blogDocument, mine)).toEqual([
      { severity: 'error', rule: 'pattern-pollution', cause: 'same-range', entities: ['Comment'] },
    ]);
    expect(foundIn(blogDocument, { ...mine, returns: ['Comment', 'Reply'] })).toEqual([]);
  });

  test.each(['COMMENT#', 'COMMENT#<commentId>#'])(
    'proposes `beginsWith` if a query uses the prefix %s as a whole key',
    (SK) => {
      expect(
        foundIn(blogDocument, query({ PK: 'POST#<postId>', SK }, { returns: ['Comment', 'Reply'] })),
      ).toMatchObject([
        {
          severity: 'error',
          rule: 'pattern-unserved',
          cause: 'other-sort',
          entities: ['Comment', 'Reply'],
          proposed: `{ beginsWith: '${SK}' }`,
        },
      ]);
    },
  );

  test.each([
    ['Category', 'GSI1SK'],
    ['Subcategory', 'GSI1SK'],
    ['CategoryChild', 'SK'],
  ])('reports that the blog sorts %s by an unpadded number', (entity, key) => {
    expect(foundAt(`entities.${entity}.keys.${key}`, blogDocument)).toMatchObject([
      { rule: 'unpadded-number', cause: 'in-key-not-whole', part: 'order', proposed: '<order:10>' },
    ]);
  });

  test('rejects a query of the third index that the blog document mentions, because the document defines only two', () => {
    const mine = query({ GSI3PK: 'STATUS#<status>' }, { index: 'GSI3', returns: ['Post'] });
    expect(foundIn(blogDocument, mine)).toEqual([
      { severity: 'error', rule: 'unknown-name', cause: 'index', index: 'GSI3' },
    ]);
  });

  test('reports that the blog queries GSI2 for notifications, although the keys of notifications are on GSI1', () => {
    const mine = query({ GSI2PK: 'NOTIFICATION#<userId>' }, { index: 'GSI2', returns: ['Notification'] });
    expect(foundIn(blogDocument, mine)).toEqual([
      {
        severity: 'error',
        rule: 'pattern-unserved',
        cause: 'not-in-index',
        entities: ['Notification'],
        proposedIndex: 'GSI1',
      },
    ]);
  });

  test('reports that the blog stores all root categories in one partition, and two kinds of category under the same key', () => {
    expect(foundAt('entities.Category.keys.GSI1PK', blogDocument, undefined, { notes: true })).toMatchObject([
      { rule: 'hot-partition' },
    ]);
    expect(foundAt('entities.Subcategory.keys.SK', blogDocument)).toMatchObject([{ rule: 'key-collision' }]);
  });

  test('returns no findings if a user can like a post several times, because the design may intend this', () => {
    // SK = LIKE#<userId>#<createdAt>
    expect(foundAt('entities.Like', blogDocument)).toEqual([]);
  });
});

describe("trimobe's document", () => {
  test('reports a trimobe query for a conversation and its messages, which are in different partitions', () => {
    // The document says: Obter detalhes da conversa + mensagens: Query único na tabela principal
    const mine = query({ PK: 'CONVERSATION#<conversationId>' }, { returns: ['Conversation', 'Message'] });
    expect(foundIn(ruralCreditDocument, mine)).toEqual([
      {
        severity: 'error',
        rule: 'not-colocated',
        cause: 'other-partition',
        entities: ['Conversation'],
        proposed: "'TENANT#<tenantId>'",
      },
    ]);
  });

  test('warns that trimobe stores simultaneous messages under the same key', () => {
    // SK: `MESSAGE#<timestamp>`
    expect(foundAt('entities.Message.keys.SK', ruralCreditDocument)).toEqual([
      { severity: 'warning', rule: 'key-collision', cause: 'only-time-apart', proposed: 'MESSAGE#<timestamp>#<id>' },
    ]);
  });

  test.each(['File', 'Document'])(
    'reports that trimobe queries GSI1 for %s items, although their keys are on GSI2',
    (entity) => {
      // The document says: GSI1 para Consultas por Usuário: Permite listar todas as conversas, arquivos e documentos de
      // um usuário
      const key = entity.toUpperCase();
      const where = { GSI1PK: 'USER#<userId>', GSI1SK: { beginsWith: `${key}#` } };
      expect(foundIn(ruralCreditDocument, query(where, { index: 'GSI1', returns: [entity] }))).toEqual([
        {
          severity: 'error',
          rule: 'pattern-unserved',
          cause: 'other-partition',
          entities: [entity],
          proposedIndex: 'GSI2',
        },
      ]);
      const all = query({ GSI1PK: 'USER#<userId>' }, { index: 'GSI1', returns: ['Conversation', entity] });
      expect(foundIn(ruralCreditDocument, all)).toMatchObject([
        {
          rule: 'not-colocated',
          cause: 'other-partition',
          entities: [entity],
          proposedIndex: 'GSI2',
        },
      ]);
    },
  );
});

test('warns that the booking document stores two bookings with the same start time under the same key', () => {
  expect(foundAt('entities.Booking.keys.SK', bookingsDocument)).toEqual([
    { severity: 'warning', rule: 'key-collision', cause: 'only-time-apart', proposed: '<startTime>#<bookingId>' },
  ]);
});

describe("transporte's document", () => {
  const byStatus = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };

  test('reports that transporte projects an attribute inside a map', () => {
    // NonKeyAttributes: ['data.nombre', 'data.estado', 'updatedAt']
    const projection = ['data.nombre', 'data.estado', 'updatedAt'];
    const design = { ...transporteDocument, indexes: { GSI1: { ...byStatus.GSI1, projection } } };
    expect(foundAt('indexes.GSI1.projection', design)).toMatchObject([
      { severity: 'error', rule: 'nested-projection', cause: 'inside-map', attribute: 'data.nombre', proposed: 'data' },
      { severity: 'error', rule: 'nested-projection', cause: 'inside-map', attribute: 'data.estado', proposed: 'data' },
    ]);
  });

  describe("sort keys of trips and waybills in GSI1SK: '2024-01-15#viaje-uuid', '2024-01-15#carta-uuid'", () => {
    const mine = query(
      { GSI1PK: 'STATUS#<estado>', GSI1SK: { beginsWith: '<fecha:date>#' } },
      { index: 'GSI1', returns: ['Viaje'] },
    );

    test('reports that the transporte query for trips by status also returns waybills', () => {
      expect(foundIn(transporteDocument, mine)).toEqual([
        { severity: 'error', rule: 'pattern-pollution', cause: 'same-range', entities: ['CartaPorte'] },
      ]);
    });

    test('accepts the transporte query for trips by status if trips and waybills have different states', () => {
      const { Viaje, CartaPorte, ...others } = transporteDocument.entities;
      const withStates = (entity: typeof Viaje, state: string, states: [string, ...string[]]) => ({
        ...entity,
        attributes: z.object({
          ...entity?.attributes._zod.def.shape,
          data: z.object({ id: z.string(), [state]: z.enum(states) }),
        }),
      });
      const entities = {
        ...others,
        Viaje: withStates(Viaje, 'estado', ['programado', 'en_curso']),
        CartaPorte: withStates(CartaPorte, 'status', ['borrador', 'timbrada']),
      } as TableDesign['entities'];
      expect(foundIn({ ...transporteDocument, entities }, mine)).toEqual([]);
    });
  });

  test('reports that the transporte query for available drivers also returns other kinds of available items', () => {
    // The document says: Listar conductores disponibles | Query GSI: GSI1PK = STATUS#disponible
    const mine = query({ GSI1PK: 'STATUS#disponible' }, { index: 'GSI1', returns: ['Conductor'] });
    const [finding, ...more] = foundIn(transporteDocument, mine);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'error',
      rule: 'pattern-pollution',
      cause: 'whole-partition',
      entities: ['Viaje', 'CartaPorte', 'Vehiculo'],
      proposed: "{ beginsWith: 'CONDUCTOR#' }",
    });
  });

  test('warns that transporte puts all drivers into a few partitions, one for each state', () => {
    const data = z.object({ id: z.string(), estado: z.enum(['disponible', 'en_viaje']) });
    const Conductor = { ...transporteDocument.entities.Conductor, attributes: z.object({ userId: z.string(), data }) };
    const where = { GSI1PK: 'STATUS#disponible', GSI1SK: { beginsWith: 'CONDUCTOR#' } };
    const TransporteApp: TableDesign = {
      ...transporteDocument,
      entities: { Conductor },
      patterns: { availableDrivers: query(where, { index: 'GSI1', returns: ['Conductor'] }) },
    };
    const system: SystemDesign = { name: 'transporte', cloud: 'aws', tenant: 'userId', tables: { TransporteApp } };
    expect(
      check(system, { load: { availableDrivers: { perSecond: 9000 } } }).map(
        ({ path, rule, severity }) => `${severity} ${path} [${rule}]`,
      ),
    ).toEqual([
      'warning tables.TransporteApp.entities.Conductor.keys.GSI1PK [hot-partition]',
      'warning tables.TransporteApp.entities.Conductor.keys.GSI1PK [tenant-unscoped]',
    ]);
  });
});

describe("controle-pgm's document", () => {
  const azure = (design: TableDesign, patterns: Record<string, PatternDesign> = {}): SystemDesign => ({
    name: 'controlePgm',
    cloud: 'azure',
    tables: { [design.name]: { ...design, patterns } },
  });
  const at = (place: string, patterns?: Record<string, PatternDesign>, options?: CheckOptions) =>
    foundAt(`tables.controle-pgm.${place}`, azure(controlePgmDocument, patterns), undefined, options);

  test('rejects the table name controle-pgm, which Azure forbids', () => {
    expect(at('name')).toEqual([{ severity: 'error', rule: 'azure-tables', cause: 'table-name' }]);
  });

  test('rejects a controle-pgm pattern that reads the latest logs, because Azure Tables cannot read in reverse order', () => {
    // The document says: Últimos N registros: Scan reverso por timestamp no RowKey
    const latest = query({ PartitionKey: 'LOG_<year>_<month>' }, { returns: ['NumberLog'], order: 'descending' });
    expect(at('patterns.latest', { latest })).toMatchObject([
      { severity: 'error', rule: 'cloud-operation', cause: 'ascending-only' },
    ]);
  });

  test('rejects a controle-pgm pattern that reads several partitions at once', () => {
    // The document says: Por período: `PartitionKey in ["LOG_2025_06", "LOG_2025_07"]`
    const period = query({ PartitionKey: { between: ['LOG_2025_06', 'LOG_2025_07'] } }, { returns: ['NumberLog'] });
    expect(at('patterns.period', { period })).toMatchObject([{ severity: 'error', rule: 'partition-incomplete' }]);
  });

  const nextNumber: PatternDesign = {
    op: 'transaction',
    steps: {
      sequence: {
        op: 'update',
        entity: 'Sequence',
        where: { PartitionKey: 'SEQ_<type_id>', RowKey: '<year>' },
        add: { LastNumber: 1 },
      },
      log: { op: 'put', entity: 'NumberLog' },
    },
  };

  test('rejects a controle-pgm transaction that writes a number and its log to two partitions', () => {
    expect(at('patterns.nextNumber', { nextNumber })).toMatchObject([
      { severity: 'error', rule: 'azure-tables', cause: 'two-partitions', count: 2 },
      { severity: 'error', rule: 'cloud-operation', cause: 'no-addition' },
    ]);
  });

  test('rejects a controle-pgm transaction that writes a number and its log to two tables', () => {
    const { Sequence } = controlePgmDocument.entities;
    const Sequences: TableDesign = {
      ...controlePgmDocument,
      name: 'Sequences',
      entities: { Sequence: Sequence as never },
    };
    expect(foundAt('tables.Sequences.patterns', azure(Sequences, { nextNumber }))).toContainEqual({
      severity: 'error',
      rule: 'unknown-name',
      cause: 'entity',
      entities: ['NumberLog'],
    });
  });

  test('notes that controle-pgm puts all users into one partition, and all document types into another', () => {
    expect(at('entities.User.keys.PartitionKey', {}, { notes: true })).toMatchObject([{ rule: 'hot-partition' }]);
    expect(at('entities.DocumentType.keys.PartitionKey', {}, { notes: true })).toMatchObject([
      { rule: 'hot-partition' },
    ]);
  });
});
