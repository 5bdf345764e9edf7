import { join } from 'node:path';
import type { Environment } from '../../constructs/environment';
import { readStack, type TerraformJson } from '../../lib/azure-tables/terraform';
import type { SystemDesign } from '../../lib/design/system';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import type { Evolution } from '../../lib/evolve';
import { inTemporaryFolder } from '../../lib/files/folder';

/** The template that the constructs synthesize for a system on AWS. */
export async function cloudFormationOf(
  design: SystemDesign,
  environment: Environment,
  evolution?: Evolution,
): Promise<TemplateJson> {
  process.env.CDK_VALIDATION ??= 'false';
  // Loads the constructs first: if aws-cdk-lib is missing, their error tells the user which package to install.
  const { SystemStack } = await import('../../constructs/aws/index');
  const { App } = await import('aws-cdk-lib/core');
  return inTemporaryFolder((outdir) => {
    const app = new App({ analyticsReporting: false, outdir });
    const { stackName } = new SystemStack(app, design.name, { design, environment, ...(evolution && { evolution }) });
    return app.synth().getStackByName(stackName).template;
  });
}

/** The stack that the constructs synthesize for a system on Azure. */
export async function terraformJsonOf(
  design: SystemDesign,
  environment: Environment,
  evolution?: Evolution,
): Promise<TerraformJson> {
  const { SystemStack } = await import('../../constructs/azure/index');
  const { App } = await import('cdktn');
  return inTemporaryFolder((outdir) => {
    const app = new App({ outdir, stackTraces: false });
    const { node } = new SystemStack(app, design.name, { design, environment, ...(evolution && { evolution }) });
    app.synth();
    return readStack(join(outdir, 'stacks', node.id, 'cdk.tf.json'));
  });
}
