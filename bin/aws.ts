import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../constructs/aws';
import { adoptionsFrom, environmentNamed, topicFrom } from '../constructs/aws/context';
import { systems } from '../lib/systems';

try {
  const app = new App();
  const environment = environmentNamed(app.node.tryGetContext('environment') ?? 'dev');
  const adopt = adoptionsFrom(app.node.tryGetContext('adopt'), systems);
  const alarmTopic = topicFrom(app.node.tryGetContext('alarmTopic'));
  for (const design of Object.values(systems)) {
    new SystemStack(app, `${design.name}-${environment.name}`, {
      design,
      environment,
      adopt: adopt[design.name],
      alarmTopic,
      env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
    });
  }
  app.synth();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
