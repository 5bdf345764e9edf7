import { type Rule, rules } from '../../lib/check';
import { nearNames } from '../../lib/design/names';
import { CHANGES } from '../../lib/evolve/diff/rules';
import { type Explanation, explain as explained, type Line } from '../../lib/explain';
import { readArguments } from './arguments';
import { CODES } from './codes';
import { type Command, type Shown, type Terminal, UsageError } from './command';
import { columns } from './printable';

export const explain: Command = {
  usage: '[code]',
  summary: 'explains the code of a finding, with an example and its fix',
  run(args, terminal) {
    const { positionals } = readArguments(args, {});
    const [code, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`pass one code, got: ${positionals.join(', ')}`);
    if (code === undefined) list(terminal);
    else showCode(code, terminal);
    return 0;
  },
};

function showCode(code: string, terminal: Terminal): void {
  const found = explained(code);
  if (found !== undefined) {
    show(found, terminal);
    return;
  }
  const other = others().find((one) => one.code === code);
  if (other === undefined) {
    const known = [...rules.map(({ id }) => id), ...others().map((one) => one.code)];
    const meant = nearNames(code, known);
    const hint = meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : "'npx tablewright explain' lists all codes";
    throw new UsageError(`'${code}' is not a code; ${hint}`);
  }
  terminal.line({ style: 'bold', text: code }, ` (${other.of})`);
  terminal.line(other.means);
  terminal.line(`fix: ${other.fix}`);
  terminal.report(other);
}

/** The codes that are not rules of the check: codes of changes to a design, and codes of the commands. */
function others() {
  const plan =
    "follow the fix that is shown with the change; if the change needs a plan, 'npx tablewright plan' writes its phases";
  return [
    ...Object.entries(CHANGES).map(([code, means]) => ({ code, of: 'diff', means, fix: plan })),
    ...Object.entries(CODES).map(([code, [means, fix]]) => ({ code, of: 'command', means, fix })),
  ];
}

function list(terminal: Terminal): void {
  const described = rules.map(({ id, severity, why, causes }): Rule => ({ id, severity, why, causes }));
  const rows = [
    ...described.map(({ id, severity, why }) => [id, severity, why]),
    ...others().map(({ code, of, means }) => [code, of, means]),
  ];
  for (const row of columns(rows)) terminal.line(row);
  terminal.report({ rules: described, codes: others() });
}

function show(explanation: Explanation, terminal: Terminal): void {
  const { id, severity, why, causes, changes, findings, broken, mended } = explanation;
  const example = { broken: broken.join('\n'), mended: mended.join('\n'), findings };
  terminal.report({ code: id, severity, why, causes, example });
  terminal.line({ style: 'bold', text: id }, ` (${severity})`);
  terminal.line(why);
  terminal.line('');
  terminal.line('Causes:');
  for (const row of columns(Object.entries(causes))) terminal.line(`  ${row}`);
  terminal.line('');
  terminal.line('An example, with the problem (-) and the fix (+):');
  for (const line of changes) terminal.line(marked(line));
  terminal.line('');
  terminal.line('What the check reports about the example:');
  for (const { path, message, fix } of findings) {
    terminal.line(`  ${path}: ${message}`);
    terminal.line(`    fix: ${fix}`);
  }
}

function marked({ in: where, text }: Line): Shown {
  if (where === 'both') return `  ${text}`;
  return where === 'before' ? { style: 'red', text: `- ${text}` } : { style: 'green', text: `+ ${text}` };
}
