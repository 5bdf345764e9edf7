import { Annotations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { check, type Finding } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';

/** Shows the check's warnings as CDK warnings; a design can acknowledge each warning, with a reason. */
export function warnOfTable(scope: Construct, design: TableDesign): void {
  warn(scope, check(design));
}

/** Shows the warnings about the system as a whole; the tables show the other warnings. */
export function warnOfSystem(scope: Construct, design: SystemDesign): void {
  const shown = new Set(
    Object.entries(design.tables).flatMap(([name, table]) =>
      check(table).map(({ rule, path }) => `${rule} tables.${name}.${path}`),
    ),
  );
  warn(
    scope,
    check(design).filter(({ rule, path }) => !shown.has(`${rule} ${path}`)),
  );
}

function warn(scope: Construct, findings: readonly Finding[]): void {
  for (const { severity, rule, path, message, fix } of findings) {
    if (severity !== 'warning') continue;
    Annotations.of(scope).addWarningV2(`tablewright:${rule}:${path}`, `${path}: ${message} (fix: ${fix})`);
  }
}
