// Runs the built command once per message, always in this process; see command.ts.
const { join, sep } = require('node:path');

const root = join(__dirname, '../..');
const { run } = require(join(root, 'dist/bin/commands/run.js'));
const { standardTerminal } = require(join(root, 'dist/bin/commands/standard.js'));

const ours = [join(root, 'dist'), join(root, 'node_modules')].map((folder) => folder + sep);
const own = join(root, 'node_modules/.cache') + sep;

/** Makes the next run reload the user's modules, as a new process would. */
function forget() {
  for (const file of Object.keys(require.cache))
    if (file.startsWith(own) || !ours.some((folder) => file.startsWith(folder))) delete require.cache[file];
}

// Removes the limit on listeners, because each run may listen for signals.
process.setMaxListeners(0);
process.on('message', async ({ folder, args, env }) => {
  const said = { stdout: '', stderr: '' };
  const stream = (name) => ({
    on() {},
    write(chunk) {
      said[name] += chunk;
    },
  });
  process.chdir(folder);
  // Replaces the environment of the whole process, so runs must not overlap.
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  forget();
  const terminal = standardTerminal({
    argv: [process.execPath, 'tablewright', ...args],
    env,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  const status = await run(args, terminal);
  terminal.status('');
  process.send({ status, ...said });
});
