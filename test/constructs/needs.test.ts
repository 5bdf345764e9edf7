import { needs } from '../../constructs/needs';

const missing = (name: string) => () => {
  throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- /app.js`), {
    code: 'MODULE_NOT_FOUND',
  });
};

test('accepts installed packages', () => {
  expect(() => needs('tablewright/aws', { 'aws-cdk-lib': () => ({}), constructs: () => ({}) })).not.toThrow();
});

test('lists all missing packages in one line, with the first underlying error', () => {
  const peers = { 'aws-cdk-lib': missing('aws-cdk-lib/core'), zod: () => ({}), constructs: missing('constructs') };
  expect(() => needs('tablewright/aws', peers)).toThrow(
    new Error(
      "tablewright/aws needs aws-cdk-lib and constructs: npm install aws-cdk-lib constructs@10.7 (Cannot find module 'aws-cdk-lib/core')",
    ),
  );
});

test('rethrows an error from an installed package', () => {
  const broken = () => {
    throw new TypeError('broken');
  };
  expect(() => needs('tablewright/azure', { cdktn: broken })).toThrow(TypeError);
});
