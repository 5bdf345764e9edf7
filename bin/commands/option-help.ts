/**
 * Descriptions of options, by option with its value, or by verb and option if the option means something different
 * for that verb.
 */
const MEANINGS: Readonly<Record<string, string>> = {
  '--account 111122223333': 'of the tables (default: <account>, to fill in)',
  '--against place': "what 'cdk synth' wrote, stack:<name> or table:<name>",
  '--agents yes|no': 'an AGENTS.md for coding agents (default: yes)',
  '--answers file': 'JSON: what was renamed or split, and why',
  '--assembly folder': "what 'cdk synth' wrote",
  '--azure-endpoint account': 'a connection string, or the address of an account',
  '--because reason': "a person's words, if nobody is at the terminal",
  '--before file': 'the cases of the old design',
  '--capacity units': 'the maximum to use per second',
  '--cloud aws|azure': 'DynamoDB or Azure Tables (default: aws)',
  '--copy': 'run all patterns on a copy of the items there',
  '--data folder': 'keep the items there (default: only in memory)',
  '--deploy command': 'deletes the tables and creates them again',
  '--demo': 'work on the bundled systems, not on your own',
  '--disposable': 'the data of this environment is disposable',
  '--down': 'the way back to where the plan began',
  '--endpoint url': 'DynamoDB at an address; aws is DynamoDB itself',
  '--engine name': 'embedded, or dynamodb-local, which needs Java',
  '--environment name': 'such as dev or prod (default: as configured)',
  '--explorer number': 'the port of the explorer (default: any free port)',
  '--failures n': 'stop when this many items cannot be changed',
  '--format form': 'how the result is written',
  '--grace minutes': 'how long to keep traces of deletions (default: 60)',
  '--handler file': 'its export handler gets all changes, like a Lambda',
  '--index name': 'draw the items of an index, not of the table',
  '--json': 'the result as data, in one form for all commands',
  'from --key PK,SK': 'the key, if the source does not state it',
  'from --output file': 'the file to write, which must not exist yet',
  '--units n': 'how many read units to spend (default: 100)',
  '--key arn': 'the KMS key that encrypts the tables',
  '--lease seconds': 'how long others wait for a runner that is gone',
  '--lock file': 'the lock, if it is not in the folder tablewright',
  '--migration file': 'exports what defineMigration returns',
  '--name name': 'of the package (default: the name of the folder)',
  '--on azure': 'DynamoDB systems, as they run on Azure Tables',
  '--output file': 'the file to write (default: standard output)',
  '--overwrite': 'replace what is there',
  '--partitions n': 'the maximum number to draw',
  '--passes n': 'the maximum number of passes over the tables',
  '--picture collections|map': 'items by partition, or what leads to which pattern',
  '--plan file': "what 'tablewright plan' wrote",
  '--port number': 'the port to serve on (default: any free port)',
  '--notes': 'also report what is worth knowing, and guesses',
  '--portability azure': 'also report higher costs and lower limits on Azure',
  '--load file': 'how often patterns are called, as JSON',
  '--prices file': 'prices of your own, as JSON',
  '--proof file': "what 'prove --json' printed",
  '--region eu-west-1': 'of the tables (default: <region>, to fill in)',
  '--resume': 'continue an import that was interrupted',
  '--rows n': 'the maximum number of items to draw per partition',
  '--segments n': 'how many parts of a table to read at once',
  '--stack name': 'the stack, if the tables are in several',
  '--state table': 'the table that records the progress',
  '--static folder': 'write the page as files instead of serving it',
  '--step name': 'the step of the plan',
  '--table table=name': 'what a table is called where it is deployed',
  '--tenant-tag name': "hold the policy to the tenant in the caller's tag",
  '--terraform folder': 'what the Azure app wrote (default: cdktf.out)',
  '--to month': 'the month of the last log (default: this month)',
  '--wait': 'wait until another runner ends',
  '--workflow yes|no': 'a GitHub workflow (default: yes)',
  '--write': 'change the items (default: only show the changes)',
  'dev --port number': 'of the engine (default: 8000, on Azure 10002)',
  'dev --step name': 'the tables as a step of the plan has them',
  '--yes': 'ask nothing, and take the defaults',
  'check --fix': 'show the edits that fix findings, and make them',
  'check --yes': 'with --fix, edit the files without asking',
  'draw --table name': 'the table to draw, if there are several',
  'cases --output file': 'the file (default: as configured, or cases.ts)',
  'backup --output file': 'the file to write, which must not exist yet',
  'plan --output file': 'the plan, if not in the folder tablewright',
  'recreate --write': 'do it (default: only show what would be deleted)',
  'prove --environment name': 'whose tables, if there are several (default: dev)',
  'prove --table table=name': 'the name or logical id of a table, if it is unclear',
};

/** The options in a usage line, in order, each with its meaning; undefined for one without an explanation. */
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

/** Wraps a usage line at 80 columns and indents all lines but the first; what is in brackets stays together. */
export function wrapped(text: string, indent: string, width = 80): readonly string[] {
  const lines: string[] = [];
  for (const word of text.match(/\[[^[\]]*\]+|\S+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines;
}
