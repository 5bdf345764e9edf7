#!/usr/bin/env node
// `npm create tablewright my-app -- --cloud azure` is equivalent to `npx tablewright init my-app --cloud azure`.
const { spawnSync } = require('node:child_process');
const command = require.resolve('tablewright/package.json').replace(/package\.json$/, 'dist/bin/tablewright.js');
const { status } = spawnSync(process.execPath, [command, 'init', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
