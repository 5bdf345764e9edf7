/** Formats rows as lines, with the first column left-aligned and the others right-aligned. */
export function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length)));
  return rows.map(([name, ...cells]) =>
    [name.padEnd(widths[0]), ...cells.map((cell, i) => String(cell).padStart(widths[i + 1]))].join('  ').trimEnd(),
  );
}
