import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `node build/release.mjs v0.2.0` prints the release notes of version 0.2.0 from CHANGELOG.md. The script fails unless the tag, package.json and a
 * heading in CHANGELOG.md all name the same version.
 */
export function notesOf(tag, { version }, changelog) {
  if (tag !== `v${version}`)
    throw new Error(
      `the tag must be v${version}, the version in package.json, got: ${tag}; correct the tag, or change the version: npm version`,
    );
  const [, notes] = changelog.split(`\n## ${version}\n`);
  if (notes === undefined)
    throw new Error(`CHANGELOG.md must have the heading '## ${version}'; rename '## Unreleased'`);
  return notes.split('\n## ')[0].trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  try {
    console.log(notesOf(process.argv[2], JSON.parse(read('package.json')), read('CHANGELOG.md')));
  } catch ({ message }) {
    console.error(`release: ${message}`);
    process.exitCode = 1;
  }
}
