import type { Template } from 'aws-cdk-lib/assertions';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { describeDifferences, differences, type ProvisionOptions } from './differences';

/** For jest and vitest: `expect.extend(matchers)`, then `expect(template).toProvision(design)`. */
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

/** What `expect.extend(matchers)` adds to `expect(template)`. */
interface ProvisionMatchers<R> {
  /** Asserts that the template provisions this design, or every table of this system. */
  toProvision(design: TableDesign | SystemDesign, options?: ProvisionOptions): R;
}

// Every test runner looks for matchers in its own place; the type parameters must have the same names as there.
declare global {
  namespace jest {
    /** Where `@types/jest` looks. */
    interface Matchers<R, T> extends ProvisionMatchers<R> {}
  }
  namespace Chai {
    /** Where vitest looks, in any version and however it is imported. */
    interface Assertion extends ProvisionMatchers<void> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: expecting an error would be one where jest is installed
/** @ts-ignore Where `@jest/globals` looks; no error if that is not installed. */
declare module 'expect' {
  interface Matchers<R, T> extends ProvisionMatchers<R> {}
}
