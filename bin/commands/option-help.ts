/**
 * Descriptions of options, keyed by the option and its value. A key that begins with a verb applies only to that verb.
 */
const MEANINGS: Readonly<Record<string, string>> = {
  '--account 111122223333': "the tables' AWS account (default: a placeholder)",
  '--against place': 'deployed tables: folder, stack:<name>, table:<name>',
  '--agents yes|no': 'write an AGENTS.md for coding agents (default: yes)',
  '--answers file': 'JSON file: what was renamed or split, and why',
  '--assembly folder': "the folder that 'cdk synth' wrote",
  '--azure-endpoint account': 'a connection string, or the address of an account',
  '--because reason': "a person's reason; required outside a terminal",
  '--before file': 'the cases file for the old design',
  '--capacity units': 'the maximum number of capacity units per second',
  '--cloud aws|azure': 'DynamoDB or Azure Tables (default: aws)',
  '--copy': 'copy the items, and run all patterns on the copy',
  '--data folder': 'keep the items in this folder (default: in memory)',
  '--deploy command': 'the command that deletes and creates the tables',
  '--demo': 'use the bundled systems instead of your own',
  '--disposable': "confirm that this environment's data is disposable",
  '--down': 'print the steps that undo the plan',
  '--endpoint url': 'URL of a DynamoDB engine, or aws for AWS itself',
  '--engine name': 'embedded, or dynamodb-local (requires Java)',
  '--environment name': 'environment, such as dev (default: as configured)',
  '--explorer number': "the explorer's port (default: any free port)",
  '--failures n': 'the number of failed items to allow (default: 20)',
  '--format form': 'the output format',
  '--grace minutes': 'minutes to keep tombstones (default: 60)',
  '--handler file': 'a file with a Lambda handler that gets all changes',
  '--index name': 'draw the items of this index instead of the table',
  '--json': 'print JSON, in the same format for all commands',
  'from --key PK,SK': 'the key attributes, if the source omits them',
  'from --output file': 'the file to write, which must not exist yet',
  '--units n': 'maximum read units to spend (default: 100)',
  '--key arn': 'the KMS key that encrypts the tables',
  '--lease seconds': 'replace a runner that is silent for this long',
  '--lock file': 'the lock file (default: in the tablewright folder)',
  '--migration file': 'the file that exports the result of defineMigration',
  '--name name': 'the package name (default: the folder name)',
  '--on azure': 'use DynamoDB systems in their Azure Tables form',
  '--output file': 'the file to write (default: standard output)',
  '--overwrite': 'replace existing entities',
  '--partitions n': 'the maximum number of partitions to draw',
  '--passes n': 'the maximum number of passes over the tables',
  '--picture collections|map': 'draw items by partition, or a map of the patterns',
  '--plan file': "the plan that 'tablewright plan' wrote",
  '--port number': 'the port to serve on (default: any free port)',
  '--notes': 'also report notes and guesses',
  '--portability azure': 'also report higher costs and lower limits on Azure',
  '--load file': 'JSON file that says how often patterns are called',
  '--prices file': 'JSON file with your own prices',
  '--proof file': "the output of 'prove --json'",
  '--region eu-west-1': "the tables' AWS region (default: a placeholder)",
  '--resume': 'continue an interrupted import',
  '--rows n': 'the maximum number of items to draw per partition',
  '--segments n': 'number of table segments to read in parallel',
  '--stack name': 'the stack to use, if there are several',
  '--state table': "the table that records a migration's progress",
  '--static folder': 'write the page as files instead of serving it',
  '--step name': 'the step of the plan',
  '--table table=name': 'a table in the design, and its deployed name',
  '--tenant-tag name': 'limit the policy to the tenant in this session tag',
  '--terraform folder': 'folder that the Azure app wrote (default: cdktf.out)',
  '--wait': 'wait until the current runner ends',
  '--workflow yes|no': 'write a GitHub workflow (default: yes)',
  '--write': 'change the items (default: only show the changes)',
  'dev --port number': "the engine's port (default: 8000, Azure 10002)",
  'dev --step name': 'use the tables of this step of the plan',
  '--yes': 'accept all defaults without asking',
  'check --fix': 'show edits that fix findings, and offer to apply them',
  'check --yes': 'with --fix, edit the files without asking',
  'draw --table name': 'the table to draw, if there are several',
  'cases --output file': 'file to write (default: as configured, or cases.ts)',
  'backup --output file': 'the file to write, which must not exist yet',
  'plan --output file': 'the plan file (default: in the tablewright folder)',
  'recreate --write': 'recreate the tables (default: only show them)',
  'prove --environment name': 'environment whose tables are proved (default: dev)',
  'costs --environment name': 'environment, such as dev (default: all built-in ones)',
  'dev --environment name': 'environment in the table names (default: dev)',
  'recreate --environment name': 'environment of the tables (default: dev)',
  'prove --table table=name': "a table's name or logical id, if several could match",
};

/** Returns the options in a usage line, in order. If an option has no description, its `meaning` is undefined. */
export function optionsIn(verb: string, usage: string): readonly { option: string; meaning: string | undefined }[] {
  const names = [...new Set(usage.match(/--[a-z-]+/g) ?? [])];
  return names.map((name) => {
    const found =
      Object.keys(MEANINGS).find((key) => key === `${verb} ${name}` || key.startsWith(`${verb} ${name} `)) ??
      Object.keys(MEANINGS).find((key) => key === name || key.startsWith(`${name} `));
    return {
      option: found?.replace(`${verb} `, '') ?? name,
      meaning: found === undefined ? undefined : MEANINGS[found],
    };
  });
}

/** Wraps a usage line at 80 columns, and indents every line but the first. Never breaks a line inside brackets. */
export function wrapped(text: string, indent: string, width = 80): readonly string[] {
  const lines: string[] = [];
  for (const word of text.match(/\[[^[\]]*\]+|\S+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines;
}
