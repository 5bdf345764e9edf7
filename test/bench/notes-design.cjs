/** Returns a design for the migration benchmarks: notes without an index (version 1) or with an index (version 2). */
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
