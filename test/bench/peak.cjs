// Measures the peak memory of a process. Load this file with --require and --expose-gc. When the process ends, this
// file writes the peak size of live objects, in megabytes, to the file named by the variable PEAK_FILE.
const { writeFileSync } = require('node:fs');

let peak = 0;
const look = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
};
setInterval(look, 200).unref();
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(peak / 2 ** 20)));
