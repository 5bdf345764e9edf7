import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import type { SystemDesign } from '../../lib/design/system';
import type { Database } from '../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';
import type { Send } from '../../lib/dynamodb/sending';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';

const ENVIRONMENT = 'dev';

/** Starts an engine for the test file, and creates the system's tables for every test, or once for all tests. */
export function embedded(system: SystemDesign, { makes = 'for each test' }: { makes?: 'for each test' | 'once' } = {}) {
  const stack = new SystemStack(new App(), system.name, { design: system, environment: ENVIRONMENT });
  const template = Template.fromStack(stack).toJSON() as TemplateJson;
  const nameOf = (table: string) => `${system.name}-${ENVIRONMENT}-${table}`;
  let engine: Database;

  beforeAll(async () => {
    engine = await embeddedEngine();
  });
  if (makes === 'once') beforeAll(() => engine.provision(template));
  else {
    beforeEach(() => engine.provision(template));
    afterEach(async () => {
      for (const table of Object.keys(system.tables)) await engine.drop(nameOf(table));
    });
  }
  afterAll(() => engine.stop());

  const send: Send = (command, input) => engine.send(command, input);
  return { nameOf, send, engine: () => engine };
}
