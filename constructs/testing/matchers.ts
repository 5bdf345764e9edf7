import type { Template } from 'aws-cdk-lib/assertions';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { describeDifferences, differences, type ProvisionOptions } from './differences';

/** Matchers for jest and vitest: `expect.extend(matchers)`, then `expect(template).toProvision(design)`. */
export const matchers = {
  toProvision(template: Template, design: TableDesign | SystemDesign, options?: ProvisionOptions) {
    const found = differences(template, design, options);
    return {
      pass: found.length === 0,
      message: () =>
        found.length === 0
          ? `expected the template not to provision '${design.name}', but it does`
          : `the template does not provision '${design.name}':\n${describeDifferences(found)}`,
    };
  },
};

/** The methods that `expect.extend(matchers)` adds to `expect(template)`. */
interface ProvisionMatchers<R> {
  /** Asserts that the template provisions this design, or every table of this system. */
  toProvision(design: TableDesign | SystemDesign, options?: ProvisionOptions): R;
}

// Each test runner looks for matchers in a different module or namespace. The type parameters must have the same names
// as in the runner's own declaration.
declare global {
  namespace jest {
    /** Where `@types/jest` looks for matchers. */
    interface Matchers<R, T> extends ProvisionMatchers<R> {}
  }
  namespace Chai {
    /** Where every version of vitest looks for matchers, whatever the import style. */
    interface Assertion extends ProvisionMatchers<void> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: where jest is installed, `@ts-expect-error` would itself be an error
/** @ts-ignore `@jest/globals` looks for matchers in this module, which may not be installed. */
declare module 'expect' {
  interface Matchers<R, T> extends ProvisionMatchers<R> {}
}
