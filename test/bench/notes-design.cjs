/**
 * Returns a design for the migration benchmarks: version 1 has notes without an index, and version 2 has notes with an
 * index.
 */
module.exports = ({ z, defineTable, defineSystem }, version) => {
  const keys = { PK: 'NOTE#<id>', ...(version === 2 && { GSI1PK: 'DAY#<day>' }) };
  const attributes = z.object({ id: z.string(), text: z.string(), day: z.string() });
  const notes = defineTable({
    name: 'notes',
    key: { partition: 'PK' },
    typeAttribute: 'kind',
    ...(version === 2 && { indexes: { byDay: { partition: 'GSI1PK' } } }),
    entities: { Note: { attributes, keys } },
    patterns: { getNote: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] } },
  });
  return defineSystem({ name: 'bench', cloud: 'aws', tables: { notes } });
};
