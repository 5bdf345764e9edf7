import { App } from 'cdktn';
import { SystemStack } from 'tablewright/azure';
import { register } from './design';

const app = new App({ stackTraces: false });
for (const environment of ['dev', 'prod'] as const)
  new SystemStack(app, `register-${environment}`, { design: register, environment });
app.synth();
