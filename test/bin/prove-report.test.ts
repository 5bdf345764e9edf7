import { stripVTControlCharacters } from 'node:util';
import { printerOn } from '../../bin/commands/prove-report';
import type { Proof } from '../../lib/proof/prove';
import { type Shape, terminalOf } from '../support/terminal';

describe('the report', () => {
  const proof = { system: 'blog', name: 'getPost', kind: 'read', operation: 'get', requests: 1, items: 1, capacity: 1 };
  const failed = { ...proof, name: 'getUser', failure: 'expected [a], got []' };

  /** Returns what a sample report writes to a terminal or another stream. */
  function written(shape: Shape, env: Record<string, string> = {}): string {
    const { terminal, output } = terminalOf(shape, env);
    const printer = printerOn(terminal);
    printer.start('any', [['blog', 'stack blog-prod (cdk.out)', []]], 2, { blog: 'f00d' });
    for (const one of [proof, failed]) {
      printer.next(one.system, one.name);
      printer.proof(one as Proof);
    }
    printer.end();
    return output();
  }

  const lines = [
    'engine: any',
    'tables of blog: stack blog-prod (cdk.out)',
    'blog',
    '  ok   getPost                        get           1 request   1 item      1 unit',
    '  FAIL getUser                        get           1 request   1 item      1 unit',
    '       expected [a], got []',
    '2 patterns: 1 FAILED (2 requests, 2 capacity units)',
    '',
  ].join('\n');
  const ANEW = '\r\u001b[2K';

  test('the report shows the expected and the returned items, and counts the failures', () => {
    expect(written({})).toBe(lines);
  });

  test('the report does not repeat the reason if consecutive patterns fail in the same way', () => {
    const { terminal, output } = terminalOf({}, {});
    const printer = printerOn(terminal);
    for (const name of ['one', 'two']) printer.proof({ ...failed, name } as Proof);
    printer.proof({ ...failed, name: 'three', failure: 'expected [b], got []' } as Proof);
    expect(output().match(/FAIL \w+|expected \S+/g)).toEqual([
      ...['FAIL one', 'expected [a],', 'FAIL two', 'FAIL three', 'expected [b],'],
    ]);
  });

  test('the report says how many items were compared for a write, because a write returns none', () => {
    const { terminal, output } = terminalOf({}, {});
    printerOn(terminal).proof({ ...proof, name: 'addPost', kind: 'write', operation: 'put', items: 3 } as Proof);
    expect(output()).toContain('  ok   addPost                        put           1 request   3 compared  1 unit\n');
  });

  test('the report lists the patterns that could not be proved on this engine, and does not count them as proved', () => {
    const { terminal, output } = terminalOf({}, {});
    const printer = printerOn(terminal);
    const reason = 'the engine does not support multi-attribute index keys';
    for (const name of ['ofDay', 'open']) printer.proof({ ...proof, name, requests: 0, unproved: reason } as Proof);
    printer.proof(proof as Proof);
    printer.end();
    expect(output()).toMatch(/^ {2}open ofDay .*\n {2}open open .*\n {2}ok {3}getPost /m);
    expect(output()).toContain(': 2 NOT PROVED, the rest proved (1 request,');
    expect(output()).toMatch(/\nnot proved: ofDay, open: the engine does not support multi-attribute index keys\n$/);
  });

  test('in a terminal, the report shows the current pattern in a line that the next output overwrites', () => {
    const shown = written({ isTTY: true }, { NO_COLOR: '1' });
    expect(shown).toContain(`${ANEW}  1 of 2: blog getPost${ANEW}blog\n`);
    expect(shown).toContain(`${ANEW}  2 of 2: blog getUser${ANEW}  FAIL getUser`);
    // No progress line remains at the end.
    expect(
      stripVTControlCharacters(shown)
        .replace(/\r {2}\d of [^\r]*/g, '')
        .replaceAll('\r', ''),
    ).toBe(lines);
  });

  test('in a terminal, the report has colors unless NO_COLOR is set', () => {
    expect(written({ isTTY: true })).toContain('\u001b[32mok  \u001b[39m getPost');
    expect(written({ isTTY: true })).toContain('\u001b[31mFAIL\u001b[39m getUser');
    expect(written({ isTTY: true }, { NO_COLOR: '1' }).replaceAll(ANEW, '')).not.toContain('\u001b');
  });

  test("the report truncates its progress line to the terminal's width, because a wrapped line cannot be overwritten", () => {
    expect(written({ isTTY: true, columns: 12 })).toContain(`${ANEW}  1 of 2: b${ANEW}`);
  });

  test('the report has no colors and no progress line in a dumb terminal', () => {
    expect(written({ isTTY: true }, { TERM: 'dumb' })).toBe(lines);
  });
});
