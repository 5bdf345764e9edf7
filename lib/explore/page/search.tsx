import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SystemView } from '../view';
import { search } from './hits';

/** Finds parts of a system by name, key template or purpose. */
export function Search({ systems }: { systems: readonly SystemView[] }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const summoned = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', summoned);
    return () => removeEventListener('keydown', summoned);
  }, []);
  const hits = search(systems, text);
  const pressed = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { key, currentTarget } = event;
    const [first] = hits;
    if (key === 'Escape') setText('');
    else if (key === 'Enter' && first !== undefined && event.target === input.current) {
      location.hash = first.href;
      setText('');
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const all = [...currentTarget.querySelectorAll<HTMLElement>('input, a')];
      all[all.indexOf(document.activeElement as HTMLElement) + (key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
  };
  return (
    <search class="search" onKeyDown={pressed}>
      <label>
        <span class="visually-hidden">Search entities, attributes, key templates, indexes and patterns</span>
        <input
          ref={input}
          type="search"
          value={text}
          placeholder="Search (Ctrl K)"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {text.trim() !== '' && (
        <div class="hits">
          <p class="soft small" role="status">
            {hits.length === 0
              ? 'No name, key template or purpose matches. To find values, filter a table.'
              : `${hits.length} found`}
          </p>
          <ul>
            {hits.map((hit, i) => (
              <li key={i}>
                <a href={hit.href} onClick={() => setText('')}>
                  {hit.name}{' '}
                  <span class="soft small">
                    {hit.kind} · {hit.where}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}
