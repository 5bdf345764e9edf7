// Usage: `node first-query.cjs <bundle> <side>`. Loads a bundled Lambda and calls its handler once, in a separate
// process. Prints the wall-clock and CPU time from the first line of the Lambda to the response of the query, in
// milliseconds.
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
