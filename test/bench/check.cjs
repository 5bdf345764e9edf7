// Usage: `node check.cjs [sizes…]`. Checks designs with as many entities as patterns, in a separate process. For each
// check, prints the wall-clock time, the CPU time, and the CPU time without notes, in milliseconds. Every round checks
// a design with different names, so that no round profits from the caches of an earlier round.
const { defineTable } = require('tablewright');
const { check } = require('tablewright/check');
const { z } = require('zod');

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 1_000, 10_000];
const ROUNDS = 5;

const timestamp = z.iso.datetime({ precision: 3 });
const status = z.enum(['OPEN', 'PAID', 'SENT', 'CLOSED']);
const common = { tenantId: z.uuid(), title: z.string(), createdAt: timestamp, updatedAt: timestamp };

/**
 * Of ten entities, six share the tenant's partition, three are in the partition of their parent, and one has its own
 * partition.
 */
function entityOf(kind, parent, i) {
  if (i % 10 === 9) {
    const attributes = z.object({ email: z.email(), ...common });
    return { attributes, keys: { PK: `${kind}#<email>`, SK: 'GUARD' } };
  }
  if (i % 10 > 5) {
    const attributes = z.object({ parentId: z.uuid(), childId: z.uuid(), order: z.int().min(0).max(9999), ...common });
    return { attributes, keys: { PK: `${parent}#<parentId>`, SK: `${kind}#<order:4>#<childId>` } };
  }
  return {
    attributes: z.object({ id: z.uuid(), status: status.optional(), amount: z.number(), ...common }),
    keys: {
      PK: 'TENANT#<tenantId>',
      SK: `${kind}#<id>`,
      GSI1PK: 'TENANT#<tenantId>',
      GSI1SK: `${kind}#<status>#<updatedAt>#<id>`,
    },
  };
}

function patternOf(kind, parent, i) {
  if (i % 10 === 9) return { op: 'get', where: { PK: `${kind}#<email>`, SK: 'GUARD' }, returns: [kind] };
  if (i % 10 === 8) {
    // Reads all three kinds of children.
    const returns = [6, 7, 8].map((digit) => kind.replace(/.$/, digit));
    return { op: 'query', where: { PK: `${parent}#<id>` }, returns };
  }
  if (i % 10 > 5) {
    return {
      op: 'query',
      where: { PK: `${parent}#<id>`, SK: { between: [`${kind}#<from:4>`, `${kind}#<to:4>`] } },
      returns: [kind],
    };
  }
  const where = { PK: 'TENANT#<tenantId>', SK: `${kind}#<id>` };
  const ofStatus = { beginsWith: `${kind}#<status>#` };
  return [
    { op: 'get', where, returns: [kind] },
    { op: 'query', where: { ...where, SK: { beginsWith: `${kind}#` } }, returns: [kind] },
    { op: 'update', entity: kind, where, set: { status: '<status>', updatedAt: '<updatedAt>' } },
    {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'TENANT#<tenantId>', GSI1SK: ofStatus },
      returns: [kind],
      order: 'descending',
      pageSize: 20,
    },
    { op: 'transaction', steps: { made: { op: 'put', entity: kind }, gone: { op: 'delete', entity: kind, where } } },
    {
      op: 'query',
      where: { ...where, SK: { beginsWith: `${kind}#` } },
      filter: { amount: { atLeast: '<amount>' } },
      returns: [kind],
    },
  ][i % 10];
}

function designOf(size, round) {
  const kinds = Array.from({ length: size }, (_, i) => `Kind${round}x${i}`);
  const parentOf = (i) => kinds[i - (i % 10)];
  return defineTable({
    name: `bench${round}`,
    key: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    typeAttribute: 'kind',
    entities: Object.fromEntries(kinds.map((kind, i) => [kind, entityOf(kind, parentOf(i), i)])),
    patterns: Object.fromEntries(kinds.map((kind, i) => [`pattern${i}`, patternOf(kind, parentOf(i), i)])),
  });
}

let rounds = 0;

function timeOf(size, notes = true) {
  const design = designOf(size, ++rounds);
  const [start, busy] = [performance.now(), process.cpuUsage()];
  const findings = check(design, { notes }).filter(({ severity }) => severity !== 'note');
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(busy);
  if (findings.length > 0) throw new Error(`the design is sound, and got: ${JSON.stringify(findings[0])}`);
  return { wall, cpu: (user + system) / 1000 };
}

for (let round = 0; round < ROUNDS; round++) timeOf(SIZES[0]);
const measured = SIZES.map((size) => {
  const timesOf = (notes) => Array.from({ length: ROUNDS }, () => timeOf(size, notes));
  const middle = (times) => times.sort((a, b) => a - b)[ROUNDS >> 1];
  const [all, brief] = [timesOf(true), timesOf(false)];
  const [wall, cpu, withoutNotes] = [
    all.map(({ wall }) => wall),
    ...[all, brief].map((times) => times.map(({ cpu }) => cpu)),
  ];
  return { size, wall: middle(wall), cpu: middle(cpu), withoutNotes: middle(withoutNotes) };
});
console.log(JSON.stringify(measured));
