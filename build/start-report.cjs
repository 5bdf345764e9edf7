/**
 * Prints the summary of `npm start`: first one line per system, taken from the JSON results of `check`, `prove` and
 * `prove --on azure`, and then the commands that show more. If a check or a proof fails, `npm start` ends before this
 * report.
 */
exports.reportOf = function reportOf(check, proof, onAzure) {
  const rows = check.result.designs.map(({ design, acknowledged, hiddenNotes = 0 }) => {
    const found = check.findings.filter((finding) => finding.design === design);
    const count = (severity) => found.filter((finding) => finding.severity === severity).length;
    const notes = count('note') + hiddenNotes;
    return [
      design,
      `${counted(count('warning'), 'warning')}, ${counted(notes, 'note')}, ${acknowledged.length} acknowledged`,
      provedBy(proof, design),
      provedBy(onAzure, design),
    ];
  });
  const table = [['system', 'check', 'proved', 'proved on Azure Tables'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lined = (row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ');
  return [
    ...table.map((row) => lined(row).trimEnd()),
    '',
    'every pattern and finding  npm start -- --details',
    'the notes of the check     npm start -- --notes',
    'a page to explore it       npx tablewright explore --demo',
    'the templates to deploy    cdk.out (AWS), cdktf.out (Azure)',
  ];
};

function provedBy({ result }, system) {
  const count = (...kinds) => result.proofs.filter((one) => one.system === system && kinds.includes(one.kind)).length;
  return `${counted(count('read', 'write'), 'pattern')}, ${counted(count('procedure'), 'procedure')}`;
}

function counted(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
