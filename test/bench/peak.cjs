// Loaded with --require and --expose-gc: writes the most memory that objects in use took to the file PEAK_FILE when the
// process ends.
const { writeFileSync } = require('node:fs');

let peak = 0;
const look = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
};
setInterval(look, 200).unref();
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(peak / 2 ** 20)));
