import { join } from 'node:path';
import { readStack, type TerraformJson } from '../../lib/azure-tables/terraform';
import type { SystemDesign } from '../../lib/design/system';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import { temporaryFolder } from '../../lib/engine/keeper';
import { asDeployed, designOf, type Evolution, type Plan, withEdits } from '../../lib/evolve';
import type { Templates } from '../../lib/proof/shadow/prove-plan';

/** What the constructs synthesize: for what is deployed when a plan begins, and for each of its steps. */
export function stepTemplates(
  design: SystemDesign,
  { edits, environment, cloud }: Pick<Plan, 'edits' | 'environment' | 'cloud'>,
): Templates {
  const synthesize = cloud === 'azure' ? terraform : cloudFormation;
  return {
    deployed: async (lock) => {
      const old = designOf(lock);
      const tables = Object.entries(old.tables).map(([name, table]) => [name, asDeployed(table)]);
      return synthesize({ ...old, tables: Object.fromEntries(tables) }, environment);
    },
    at: (step, lock, plan) => synthesize(withEdits(design, edits), environment, { lock, plan, step }),
  };
}

/** As in dev, where nothing is kept that a step deletes, under the names of the environment that the plan is for. */
async function cloudFormation(design: SystemDesign, name: string, evolution?: Evolution): Promise<TemplateJson> {
  process.env.CDK_VALIDATION ??= 'false';
  // First, since it says what to install where there is no aws-cdk-lib.
  const { environments, SystemStack } = await import('../../constructs/aws/index');
  const { App } = await import('aws-cdk-lib/core');
  const { path: outdir, remove } = temporaryFolder();
  try {
    const app = new App({ analyticsReporting: false, outdir });
    const environment = { ...environments.dev, name };
    const { stackName } = new SystemStack(app, design.name, { design, environment, ...(evolution && { evolution }) });
    return app.synth().getStackByName(stackName).template;
  } finally {
    remove();
  }
}

async function terraform(design: SystemDesign, name: string, evolution?: Evolution): Promise<TerraformJson> {
  const { environments, SystemStack } = await import('../../constructs/azure/index');
  const { App } = await import('cdktn');
  const { path: outdir, remove } = temporaryFolder();
  try {
    const app = new App({ outdir, stackTraces: false });
    const environment = { ...environments.dev, name };
    const location = 'brazilsouth';
    const { node } = new SystemStack(app, design.name, {
      design,
      environment,
      location,
      ...(evolution && { evolution }),
    });
    app.synth();
    return readStack(join(outdir, 'stacks', node.id, 'cdk.tf.json'));
  } finally {
    remove();
  }
}
