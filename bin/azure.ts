import { App, CONTEXT_ENV } from 'cdktn';
import { SystemStack } from '../constructs/azure';
import { contextFrom } from '../constructs/azure/context';
import { portability } from '../lib/azure-tables/equivalents/portability';
import { systems } from '../lib/systems';

try {
  const given = JSON.parse(process.env[CONTEXT_ENV] ?? '{}');
  const { environment, location, subscription, resourceGroup } = contextFrom(
    process.argv.slice(2),
    (key) => given[key],
  );
  // Without traces, which hold the paths of the machine, the output is the same everywhere.
  const app = new App({ stackTraces: false });
  for (const design of Object.values(systems)) {
    const stack = new SystemStack(app, `${design.name}-${environment.name}`, {
      design,
      environment,
      ...(location === undefined ? {} : { location }),
      ...(subscription === undefined ? {} : { subscriptionId: subscription, uniqueIn: subscription }),
      ...(resourceGroup === undefined ? {} : { adopt: { resourceGroup } }),
    });
    const { tables, lines } = portability(design);
    const lost = lines.length === 0 ? '' : `; ${lines.length} notes: npx tablewright portability ${design.name}`;
    console.log(`${stack.node.id}: ${tables.length} tables in ${stack.storage.accountName}${lost}`);
  }
  app.synth();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
