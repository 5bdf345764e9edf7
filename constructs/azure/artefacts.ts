import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerraformStack } from 'cdktn';
import { portability } from '../../lib/azure-tables/equivalents/portability';
import type { SystemDesign } from '../../lib/design/system';
import { SCANNER_SKIPS } from './storage-account';

/**
 * Writes files that Terraform ignores next to a stack's JSON: settings for a scanner that does not read comments in
 * JSON and, for a DynamoDB design, a report of its differences on Azure.
 */
export function addArtefacts(stack: TerraformStack, design: SystemDesign): void {
  const files = { '.checkov.yaml': scannerSettings(), ...portabilityReport(design) };
  const { synthesizer } = stack;
  stack.synthesizer = {
    synthesize: (session) => {
      synthesizer.synthesize(session);
      const folder = join(session.outdir, session.manifest.forStack(stack).workingDirectory);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    },
  };
}

function scannerSettings(): string {
  const rules = SCANNER_SKIPS.flatMap(({ id, comment }) => [`  # ${comment}`, `  - ${id}`]);
  return ['skip-check:', ...rules, ''].join('\n');
}

function portabilityReport(design: SystemDesign): Readonly<Record<string, string>> {
  if (design.cloud === 'azure') return {};
  return { 'portability.json': `${JSON.stringify(portability(design), null, 2)}\n` };
}
