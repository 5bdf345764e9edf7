import type { Environment } from '../../constructs/environment';
import { awsCosts } from '../../lib/costs/aws';
import { azureCosts } from '../../lib/costs/azure';
import type { Cost } from '../../lib/costs/cost';
import type { Prices } from '../../lib/costs/prices';
import type { SystemDesign } from '../../lib/design/system';
import { inTemporaryFolder } from '../../lib/files/folder';
import type { Design } from './designs';

/** What a design costs in an environment, read from the stack that it comes to. */
export async function stackOf(design: Design, environment: Environment, prices: Prices): Promise<readonly Cost[]> {
  const system: SystemDesign =
    'tables' in design ? design : { name: design.name, cloud: 'aws', tables: { [design.name]: design } };
  return system.cloud === 'azure' ? onAzure(system, environment, prices) : onAws(system, environment, prices);
}

async function onAws(design: SystemDesign, environment: Environment, prices: Prices): Promise<readonly Cost[]> {
  process.env.CDK_VALIDATION ??= 'false';
  // First, since it says what to install where there is no aws-cdk-lib.
  const { SystemStack } = await import('../../constructs/aws/index');
  const { App } = await import('aws-cdk-lib/core');
  return inTemporaryFolder((outdir) => {
    const app = new App({ analyticsReporting: false, outdir });
    const { stackName } = new SystemStack(app, design.name, { design, environment });
    return awsCosts(app.synth().getStackByName(stackName).template, prices.aws);
  });
}

async function onAzure(design: SystemDesign, environment: Environment, prices: Prices): Promise<readonly Cost[]> {
  const { SystemStack } = await import('../../constructs/azure/index');
  const { App } = await import('cdktn');
  return inTemporaryFolder((outdir) => {
    const app = new App({ outdir, stackTraces: false });
    return azureCosts(new SystemStack(app, design.name, { design, environment }).toTerraform(), prices.azure);
  });
}
