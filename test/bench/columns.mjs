/** Formats rows as lines: aligns the first column to the left, and the other columns to the right. */
export function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length)));
  return rows.map(([name, ...cells]) =>
    [name.padEnd(widths[0]), ...cells.map((cell, i) => String(cell).padStart(widths[i + 1]))].join('  ').trimEnd(),
  );
}
