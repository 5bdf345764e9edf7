// Loaded with --require: writes the peak memory of the process to the file PEAK_FILE when the process ends.
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024)));
