/** Does something once and prints what it took: milliseconds, and milliseconds of processor time. */
exports.measure = (work) => {
  const [start, busy] = [performance.now(), process.cpuUsage()];
  work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(busy);
  console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }));
};
