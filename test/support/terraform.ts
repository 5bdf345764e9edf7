import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktn';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
export type TerraformJson = Record<string, any>;

/** Synthesizes the stack that `make` returns, and returns its Terraform JSON. */
export function terraformOf(make: (app: App) => TerraformStack, skipValidation = false): TerraformJson {
  const outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
  try {
    const app = new App({ outdir, stackTraces: false, skipValidation });
    const { id } = make(app).node;
    app.synth();
    return JSON.parse(readFileSync(join(outdir, 'stacks', id, 'cdk.tf.json'), 'utf8'));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Returns the Terraform JSON of an empty stack to which `make` adds resources. The stack does not need a provider. */
export function terraformIn(make: (stack: TerraformStack) => void): TerraformJson {
  return terraformOf((app) => {
    const stack = new TerraformStack(app, 'test');
    make(stack);
    return stack;
  }, true);
}

/** Runs a test on a stack that is never synthesized. */
export function withStack<T>(use: (stack: TerraformStack) => T): T {
  const outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
  try {
    return use(new TerraformStack(new App({ outdir, stackTraces: false }), 'test'));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
