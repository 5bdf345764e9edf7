import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { colourClass, type Shape } from '../draw/shape';
import { textOf } from '../rows';
import type { GrantView, Mark, SystemView, TableView } from '../view';
import { links } from './state';

/** Shows an entity's name in the entity's color. Color is never the only cue. */
export function Entity({ system, table, name }: { system: SystemView; table: TableView; name?: string | undefined }) {
  const colour = table.entities.find((entity) => entity.name === name)?.colour;
  const shown = (
    <>
      <span class={`dot ${colourClass(colour)}`} aria-hidden="true" />
      {name ?? 'unknown'}
    </>
  );
  if (name === undefined || colour === undefined) return <span class="entity plain">{shown}</span>;
  return (
    <a class={`entity ${colourClass(colour)}`} href={links.entity(system, table.name, name)}>
      {shown}
    </a>
  );
}

/** Shows a key template, with its parts marked. */
export function Marks({ marks }: { marks: readonly Mark[] }) {
  return <code>{marks.map(({ text, part }, i) => (part === undefined ? text : <mark key={i}>{text}</mark>))}</code>;
}

/** Shows the key templates of one kind of partition. */
export function Under({ partitions }: { partitions: readonly (readonly Mark[])[] }) {
  return (
    <>
      {partitions.map((marks, i) => (
        <span key={i} class="line">
          <Marks marks={marks} />
        </span>
      ))}
    </>
  );
}

/** The maximum number of names to list. The rest are only counted. */
const LISTED = 12;

/** Lists pattern names up to a limit, and counts the rest. */
export function PatternLinks({ system, table, names }: Linked & { names: readonly string[] }) {
  const left = names.length - LISTED;
  return (
    <span class="names">
      {names.slice(0, LISTED).map((name) => (
        <a key={name} href={links.pattern(system, table.name, name)}>
          {name}
        </a>
      ))}
      {left > 0 && <span class="soft">and {left} more</span>}
    </span>
  );
}

interface Linked {
  readonly system: SystemView;
  readonly table: TableView;
}

/** Renders a sentence, with the text between backticks as code. */
export function Words({ text }: { text: string }) {
  return <>{text.split('`').map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))}</>;
}

/** Whether the text fits on one line. */
export function isShort(text: string): boolean {
  return text.length <= 44;
}

/** Shows a stored key, with its rendered parts marked. */
export function Key({ value, lengths = [] }: { value: unknown; lengths?: readonly number[] | undefined }) {
  const text = textOf(value);
  const pieces: ComponentChildren[] = [];
  let at = 0;
  for (const [i, length] of lengths.entries()) {
    const piece = text.slice(at, at + length);
    at += length;
    if (piece !== '') pieces.push(i % 2 === 1 ? <mark key={i}>{piece}</mark> : piece);
  }
  return (
    <code class={isShort(text) ? 'whole' : undefined}>
      {pieces}
      {text.slice(at)}
    </code>
  );
}

/** Shows text with a button that copies it. */
export function Code({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      },
      () => undefined,
    );
  };
  return (
    <div class="code">
      <button type="button" class="copy" onClick={copy} aria-label={`Copy: ${label}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to reach a scrollable area */}
      <section class="scroll" tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  );
}

/** Lists the parts of a system that cannot be shown, with the reasons. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map((problem) => (
        <li key={problem} class="alert">
          {problem}
        </li>
      ))}
    </ul>
  );
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'nothing';
}

export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? singular : plural}`;
}

export function Grant({ grant }: { grant: GrantView }) {
  return (
    <>
      {grant.problem !== undefined && <p class="alert">{grant.problem}</p>}
      {grant.lines.length > 0 && (
        <div class="scroll">
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">May</th>
                <th scope="col">On</th>
                <th scope="col">Within</th>
              </tr>
            </thead>
            <tbody>
              {grant.lines.map(({ may, on, within }, i) => (
                <tr key={i}>
                  <td>{may}</td>
                  <td>{on}</td>
                  <td>
                    <code>{within}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {grant.policy !== undefined && (
        <details>
          <summary>The IAM policy</summary>
          <Code label="IAM policy" text={json(grant.policy)} />
        </details>
      )}
    </>
  );
}

/** Shows a picture, drawn by the same code that `tablewright draw` uses. */
export function Picture({ shape }: { shape: Shape }) {
  const { tag: Tag, attributes, children } = shape as { tag: 'svg'; attributes: object; children: Shape['children'] };
  return (
    <Tag {...attributes}>
      {children.map((child, i) => (typeof child === 'string' ? child : <Picture key={i} shape={child} />))}
    </Tag>
  );
}
