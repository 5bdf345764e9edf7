import { App, CONTEXT_ENV } from 'cdktn';
import { SystemStack } from '../constructs/azure';
import { contextFrom } from '../constructs/azure/context';
import { portability } from '../lib/azure-tables/equivalents/portability';
import { isObject } from '../lib/design/show';
import { writeFolder } from '../lib/files/folder';

import { systems } from '../lib/systems';
import { standardTerminal, tell } from './commands/standard';

const terminal = standardTerminal(process);

synthesize().then(
  (lines) => {
    for (const line of lines) terminal.line(line);
  },
  (error) => {
    tell(terminal, error);
    process.exitCode = 1;
  },
);

/** Writes all stacks and prints the contents of each stack. */
async function synthesize(): Promise<readonly string[]> {
  const given = contextIn(process.env[CONTEXT_ENV]);
  const { environment, location, subscription, resourceGroup } = contextFrom(
    process.argv.slice(2),
    (key) => given[key],
  );
  return writeFolder(process.env.CDKTF_OUTDIR ?? 'cdktf.out', (outdir) => {
    // Stack traces contain paths on this machine. Without them, the output is the same on every machine.
    const app = new App({ stackTraces: false, outdir });
    const lines = Object.values(systems).map((design) => {
      const stack = new SystemStack(app, `${design.name}-${environment.name}`, {
        design,
        environment,
        ...(location === undefined ? {} : { location }),
        ...(subscription === undefined ? {} : { subscriptionId: subscription, uniqueIn: subscription }),
        ...(resourceGroup === undefined ? {} : { adopt: { resourceGroup } }),
      });
      const { tables, lines } = portability(design);
      const lost =
        lines.length === 0 ? '' : `; 'npx tablewright portability ${design.name}' lists ${lines.length} notes`;
      return `${stack.node.id}: ${tables.length} tables in ${stack.storage.accountName}${lost}`;
    });
    app.synth();
    return lines;
  });
}

/** The context that the CDK Terrain CLI passes to the app. */
function contextIn(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    const context: unknown = JSON.parse(text);
    if (isObject(context)) return context;
  } catch {
    // The JSON parser's own message would quote the text, so the error below is thrown instead.
  }
  throw new Error(`${CONTEXT_ENV} must be a JSON object, such as {"environment":"prod"}`);
}
