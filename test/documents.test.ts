import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rules } from '../lib/check/rules';
import { templateRules } from '../lib/dynamodb/template/review/review';
import { codeOf } from './support/documents';

const root = join(__dirname, '..');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];

test.each(documents)('the code in %s compiles', (document) => {
  // Beside the repository's packages, so that aws-cdk-lib and zod are found.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/documents-'));
  try {
    for (const [file, code] of codeOf(document)) writeFileSync(join(folder, file), code);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          noUnusedLocals: false,
          paths: {
            tablewright: [join(root, 'lib/index.ts')],
            'tablewright/check': [join(root, 'lib/check/index.ts')],
            'tablewright/systems': [join(root, 'lib/systems/index.ts')],
            'tablewright/dynamodb': [join(root, 'lib/dynamodb/index.ts')],
            'tablewright/proof': [join(root, 'lib/proof/index.ts')],
            'tablewright/azure-tables': [join(root, 'lib/azure-tables/index.ts')],
            'tablewright/*': [join(root, 'constructs/*/index.ts')],
          },
        },
        include: ['*.ts'],
        exclude: [],
      }),
    );
    if (codeOf(document).size > 0) {
      execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--noEmit'], {
        stdio: 'pipe',
        encoding: 'utf8',
      });
    }
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(documents)('every link in %s leads somewhere', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
});

test('every rule of the check is in its document', () => {
  const text = readFileSync(join(root, 'docs/checks.md'), 'utf8');
  expect(rules.filter(({ id }) => !text.includes(`| \`${id}\` |`))).toEqual([]);
});

test('every rule of the review of templates is in its document, with its severity', () => {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  expect(templateRules.filter(({ id, severity }) => !text.includes(`| \`${id}\` | ${severity} |`))).toEqual([]);
});

test('the test command of the README is the one that CI runs', () => {
  const command = 'npm ci && npm test';
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`${command}\``);
  expect(readFileSync(join(root, '.ci/run'), 'utf8').split('\n')).toContain(command);
});
