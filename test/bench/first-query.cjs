// Loads a bundled Lambda and has it ask its first query, in a process of its own: node first-query.cjs <bundle> <side>
// Prints the milliseconds that it took, and of processor time, from the first line of the Lambda to its answer.
const { createRequire } = require('node:module');

const [bundle, side] = process.argv.slice(2);
process.env.SIDE = side;
const [start, busy] = [performance.now(), process.cpuUsage()];
const { handler } = require(bundle);
handler({ category: 'news' }).then((items) => {
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(busy);
  const { sent } = createRequire(bundle)('@aws-sdk/client-dynamodb').DynamoDBClient;
  console.log(JSON.stringify({ wall, cpu: (user + system) / 1000, items, sent }));
});
