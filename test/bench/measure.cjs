/** Runs a function once, and prints its wall-clock and CPU time in milliseconds. */
exports.measure = (work) => {
  const [start, busy] = [performance.now(), process.cpuUsage()];
  work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(busy);
  console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }));
};
