// Load this file with --require and --expose-gc: when the process ends, it writes the peak memory of live objects to the
// file PEAK_FILE.
const { writeFileSync } = require('node:fs');

let peak = 0;
const look = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
};
setInterval(look, 200).unref();
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(peak / 2 ** 20)));
