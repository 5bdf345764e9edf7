import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../constructs/aws';
import { adoptionsFrom, environmentNamed, topicFrom } from '../constructs/aws/context';
import { fileProblem, isFull } from '../lib/files/problem';
import { systems, systemsOf } from '../lib/systems';
import { standardTerminal, tell } from './commands/standard';

try {
  const app = new App();
  // aws-cdk-lib's validation takes longer than the rest of the synthesis; `-c validate=false` skips it.
  if (app.node.tryGetContext('validate') === 'false') process.env.CDK_VALIDATION = 'false';
  const environment = environmentNamed(app.node.tryGetContext('environment') ?? 'dev');
  const adopt = adoptionsFrom(app.node.tryGetContext('adopt'), systems);
  const alarmTopic = topicFrom(app.node.tryGetContext('alarmTopic'));
  for (const design of systemsOf('aws')) {
    new SystemStack(app, `${design.name}-${environment.name}`, {
      design,
      environment,
      adopt: adopt[design.name],
      alarmTopic,
      env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
    });
  }
  try {
    app.synth();
  } catch (error) {
    throw isFull(error) ? fileProblem(error, app.outdir, 'written') : error;
  }
} catch (error) {
  tell(standardTerminal(process), error);
  process.exitCode = 1;
}
