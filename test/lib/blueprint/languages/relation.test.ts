import { z } from 'zod';
import { attributeAt } from '../../../../lib/blueprint/attributes/facts';
import { keysOf } from '../../../../lib/blueprint/languages/keys';
import {
  ANY,
  either,
  type Language,
  languageOf,
  many,
  nothing,
  text,
} from '../../../../lib/blueprint/languages/language';
import { type KeyRange, relate, type Verdict } from '../../../../lib/blueprint/languages/relation';
import { type Part, template } from '../../../../lib/design/template';
import type { Comparison } from './verdicts';

describe('keys and conditions from real systems', () => {
  const timestamp = z.iso.datetime();
  const attributes = z.object({ publishedAt: timestamp, createdAt: timestamp, from: timestamp, to: timestamp });

  test.each<readonly [string, Condition, Verdict]>([
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POST#' }, 'always'],
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POST#<publishedAt:year>' }, 'sometimes'],
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POSTS#' }, 'never'],
    ['COMMENT#<parentId>#<replyId>#<createdAt>', { beginsWith: 'COMMENT#' }, 'always'],
    ['COMMENT#<parentId>#<replyId>#<createdAt>', { beginsWith: 'COMMENT#<commentId>#' }, 'sometimes'],
    ['COMMENT#<commentId>#<createdAt>', { equals: 'COMMENT#<parentId>#<replyId>#<createdAt>' }, 'never'],
    ['PROFILE', { equals: 'PROFILE' }, 'always'],
    ['USER#<sub>', { equals: 'USER#<sub>' }, 'sometimes'],
    ['<startsAt:date>#VIAJE#<id>', { equals: 'CONDUCTOR#' }, 'never'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: 'CONDUCTOR#' }, 'never'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: '<day:date>#VIAJE#' }, 'sometimes'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: '<day:date>#CARTA#' }, 'never'],
    ['DAY#<date>', { between: ['<from>', '<to>'] }, 'never'],
    ['DAY#<date>', { between: ['<some>', '<other>'] }, 'sometimes'],
    ['DAY#<date>', { between: ['DAY#', 'DAY$'] }, 'always'],
    ['DAY#<date>', { greaterThan: '<to>' }, 'always'],
    ['<createdAt>', { between: ['<from>', '<to>'] }, 'sometimes'],
    ['<order:4>#<id>', { between: ['0000', '9999'] }, 'sometimes'],
    ['<order:4>#<id>', { between: ['0000', ':'] }, 'always'],
    ['<order:4>#<id>', { lessThan: '0000#' }, 'never'],
  ])('%s, %j: %s', (key, condition, expected) => {
    const bound = (text: string) => keysOf(template(text), { separator: '#', facts: known });
    const known = ({ path }: Part) => attributeAt(attributes, path);
    const [kind, at] = Object.entries(condition)[0] as [Comparison, string] | ['between', readonly [string, string]];
    const range: KeyRange =
      kind === 'between' ? { kind, from: bound(at[0]), to: bound(at[1]) } : { kind, at: bound(at) };
    expect(relate(bound(key), range)).toBe(expected);
  });

  test('a key with a listed status never equals a key with an unlisted status', () => {
    const statuses = {
      separator: '#',
      facts: () => ({ kind: 'string', optional: false, values: ['a', 'b'] }) as const,
    };
    const keys = keysOf(template('STATUS#<status>'), statuses);
    const equals = (text: string) => relate(keys, { kind: 'equals', at: keysOf(template(text), { separator: '#' }) });
    expect(equals('STATUS#c')).toBe('never');
    expect(equals('STATUS#a')).toBe('sometimes');
    expect(equals('STATUS#<any>')).toBe('sometimes');
  });
});

test("keys sort by code point, not by JavaScript's 16-bit code units", () => {
  const [key, at] = ['😀', '\uffff'].map((text) => keysOf(template(text), { separator: '#' })) as [Language, Language];
  expect('😀' < '\uffff').toBe(true);
  expect(relate(key, { kind: 'greaterThan', at })).toBe('always');
});

test('a key that is a proper prefix of a lower bound sorts below that bound', () => {
  const range: KeyRange = { kind: 'between', from: languageOf([text('ab')]), to: languageOf([text('c')]) };
  expect(relate(languageOf([either(text('a'), text('d'))]), range)).toBe('never');
  expect(relate(languageOf([either(text('a'), text('ab'))]), range)).toBe('sometimes');
  expect(relate(languageOf([text('ab'), either(nothing, many(ANY))]), range)).toBe('always');
});

test('a range without bounds contains all keys of a non-empty language', () => {
  expect(relate(languageOf([text('a')]), { kind: 'all' })).toBe('always');
  expect(relate(languageOf([either()]), { kind: 'all' })).toBe('never');
});

type Condition = { readonly [kind in Comparison]?: string } | { readonly between: readonly [string, string] };
