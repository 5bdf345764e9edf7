import { join } from 'node:path';
import { run } from '../../support/run';

test('what decides on leaks is loaded where a tenant is asked for, and not before', () => {
  const script = `
    const { grantOf } = require('./dist/lib/permissions/grant.js');
    const { booking } = require('./dist/lib/systems/booking/design.js');
    const isLoaded = () => Object.keys(require.cache).some((file) => /lib.check.check/.test(file));
    const seen = [isLoaded()];
    grantOf({ of: booking, names: ['getService'] });
    seen.push(isLoaded());
    grantOf({ of: booking, names: ['getService'], tenant: { variable: 'aws:PrincipalTag/tenantId' } });
    console.log(JSON.stringify([...seen, isLoaded()]));`;
  expect(run(join(__dirname, '../../..'), process.execPath, '-e', script)).toEqual({
    code: 0,
    output: '[false,false,true]',
  });
});
