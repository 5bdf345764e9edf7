import engine from '../../../build/engine/package.json';
import { findBinary } from '../../../lib/dynamodb/engine/embedded';
import { expectGroupsGone, until } from '../../support/processes';
import { answers, scripts } from '../../support/script';

const run = scripts();

jest.setTimeout(60_000);

describe('stopping an engine', () => {
  test('`stop` ends the engine but not the process, even if it is called several times', async () => {
    const { ended, pids, said, errors } = run(`
      const engine = await embeddedEngine();
      say(isRunning(pids[1]));
      await Promise.all([engine.stop(), engine.stop()]);
      say(isRunning(pids[1]));
      await engine.stop();
      say('on');`);
    expect(await ended).toBe(0);
    expect({ said: said(), errors: errors() }).toEqual({ said: ['true', 'false', 'on'], errors: '' });
    await expectGroupsGone(pids());
  });

  test('stops an engine when the process that started it finishes, without delaying that process', async () => {
    const { ended, pids, errors } = run('await embeddedEngine();');
    expect(await ended).toBe(0);
    expect(errors()).toBe('');
    await expectGroupsGone(pids());
  });

  test('stops an engine when the process that started it exits', async () => {
    const { ended, pids } = run('await embeddedEngine(); process.exit(3);');
    expect(await ended).toBe(3);
    await expectGroupsGone(pids());
  });

  test('stops an engine when the process that started it throws', async () => {
    const { ended, pids, errors } = run(`await embeddedEngine(); throw new Error('on purpose');`);
    expect(await ended).toBe(1);
    expect(errors()).toContain('on purpose');
    await expectGroupsGone(pids());
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stops an engine on %s, and the process that started it exits with code %i', async (signal, code) => {
    const { script, ended, pids, says } = run(`await embeddedEngine(); setInterval(() => {}, 1000); say('ready');`);
    await says('ready');
    script.kill(signal);
    expect(await ended).toBe(code);
    await expectGroupsGone(pids());
  });

  test("stops the engine on a signal that the process also handles, and still runs the process's own handler", async () => {
    const { script, ended, pids, said, says } = run(`
      process.on('SIGTERM', () => setTimeout(() => { say('tidied up'); process.exit(7); }, 100));
      await embeddedEngine();
      setInterval(() => {}, 1000);
      say('ready');`);
    await says('ready');
    script.kill('SIGTERM');
    expect(await ended).toBe(7);
    expect(said()).toEqual(['ready', 'tidied up']);
    await expectGroupsGone(pids());
  });
});

describe.each(['embeddedEngine', 'azuriteEngine'])('an engine that %s starts', (engine) => {
  const ready = `setInterval(() => {}, 1000); say((await ${engine}()).endpoint);`;

  test('stops when the process that started it is killed, and leaves neither an open port nor a process', async () => {
    const { script, ended, pids, said, errors } = run(ready);
    await until(() => said().length > 0);
    const [endpoint = ''] = said();
    expect({ errors: errors(), answers: await answers(endpoint) }).toEqual({ errors: '', answers: true });
    script.kill('SIGKILL');
    await ended;
    await expectGroupsGone(pids());
    // An engine of a concurrent test may have taken the port; that engine will stop as well.
    for (let attempt = 0; attempt < 60 && (await answers(endpoint)); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(await answers(endpoint)).toBe(false);
  });

  test('stops when the process that started it is killed before the engine is ready', async () => {
    const { script, ended, pids } = run(ready);
    await until(() => pids().length > 0);
    script.kill('SIGKILL');
    await ended;
    await expectGroupsGone(pids());
  });
});

describe('two engines at once', () => {
  test('runs two engines at different endpoints, and stops each of them separately', async () => {
    const { ended, pids, said, errors } = run(`
      const engines = await Promise.all([embeddedEngine(), embeddedEngine()]);
      say(new Set(engines.map(({ endpoint }) => endpoint)).size);
      await engines[0].stop();
      say(pids.filter(isRunning).length);
      await engines[1].stop();
      say(pids.filter(isRunning).length);`);
    expect(await ended).toBe(0);
    expect({ said: said(), errors: errors() }).toEqual({ said: ['2', '1', '0'], errors: '' });
    await expectGroupsGone(pids());
  });

  test('stops two engines and ends the process on a signal', async () => {
    const { script, ended, pids, says } = run(`
      await Promise.all([embeddedEngine(), embeddedEngine()]);
      setInterval(() => {}, 1000);
      say('ready');`);
    await says('ready');
    script.kill('SIGINT');
    expect(await ended).toBe(130);
    // Each engine accounts for two processes: its own process, and the process that removed its start file.
    expect(pids()).toHaveLength(4);
    await expectGroupsGone(pids());
  });
});

describe('an engine that does not start', () => {
  const failsWith = (binary: string) =>
    run(`await embeddedEngine({ binary: ${binary} }).catch(({ message }) => say(message));`);

  test('reports the reason for a failed start, and leaves no process', async () => {
    const { ended, said, pids } = failsWith(
      `{ command: process.execPath, args: ['-e', 'console.error("no room\\\\nleft"); process.exit(1)', '--'] }`,
    );
    expect(await ended).toBe(0);
    expect(said()).toEqual(['the embedded engine did not start: left']);
    await expectGroupsGone(pids());
  });

  test('reports that another process is listening if the responses do not come from an engine, and leaves no process', async () => {
    const server = `require("node:http").createServer((_, answer) => { answer.statusCode = 400; answer.end("{}"); })
      .listen(Number(process.argv.at(-1)), process.argv.at(-3))`;
    const { ended, said, pids } = failsWith(
      `{ command: process.execPath, args: ['-e', ${JSON.stringify(server)}, '--'] }`,
    );
    expect(await ended).toBe(0);
    expect(said()).toEqual([
      expect.stringMatching(/^another process is listening at 127[.\d]+:\d+, where the embedded engine should listen$/),
    ]);
    await expectGroupsGone(pids());
  });

  test('says which package to install if the AWS SDK is missing, and leaves no process', async () => {
    const { ended, said, pids } = run(`
      const modules = require('node:module');
      const resolve = modules._resolveFilename;
      modules._resolveFilename = (name, ...rest) => {
        if (name.startsWith('@aws-sdk/')) throw new Error("Cannot find module '" + name + "'");
        return resolve(name, ...rest);
      };
      await embeddedEngine().catch(({ message }) => say(message));`);
    expect(await ended).toBe(0);
    expect(said()).toEqual([
      "an engine needs the AWS SDK: npm install --save-dev @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb (Cannot find module '@aws-sdk/client-dynamodb')",
    ]);
    await expectGroupsGone(pids());
  });

  test('the error about a failed start names the missing binary', async () => {
    const { ended, said } = failsWith(`{ command: '/nowhere/dynoxide', args: [] }`);
    expect(await ended).toBe(0);
    expect(said()).toEqual([expect.stringContaining('/nowhere/dynoxide')]);
  });
});

describe('the binary', () => {
  const installed =
    (...names: string[]) =>
    (file: string) => {
      if (names.some((name) => file === `${name}/package.json`)) return `/modules/${file}`;
      throw new Error(`Cannot find module '${file}'`);
    };

  test('finds the binary of the installed platform package', () => {
    expect(findBinary('linux', 'x64', installed('@dynoxide/linux-x64', 'dynoxide'))).toEqual({
      command: '/modules/@dynoxide/linux-x64/dynoxide',
      args: [],
    });
  });

  test('falls back to the multi-platform package, and runs it in Node', () => {
    expect(findBinary('darwin', 'arm64', installed('dynoxide'))).toEqual({
      command: process.execPath,
      args: ['/modules/dynoxide/bin/dynoxide.js'],
    });
  });

  test('says which package to install if no engine package is installed, and suggests an alternative', () => {
    expect(() => findBinary('sunos', 'sparc', installed())).toThrow(
      'the embedded engine is not installed; run npm install --save-optional @dynoxide/sunos-sparc@^1.2.1 (also install @aws-sdk/client-dynamodb and @aws-sdk/lib-dynamodb if they are missing), or pass the address of a DynamoDB with --endpoint http://…',
    );
    const { optionalDependencies } = engine;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const [platform = '', arch = ''] = name.replace('@dynoxide/', '').split('-');
      expect(() => findBinary(platform, arch, installed())).toThrow(`--save-optional ${name}@^${version} (`);
    }
  });
});
