import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../view';
import type { Source } from './state';

type Values = Readonly<Record<string, unknown>>;

export interface Runner {
  readonly values: Values;
  readonly outcome: RunView | undefined;
  readonly problem: string;
  /** Whether a run is in progress, and has taken long enough for the page to say so. */
  readonly isRunning: boolean;
  /** The cursor of the current page. @default - the first page is shown */
  readonly cursor: string | undefined;
  run(values: object): void;
  /** Clears the outcome of the last run, because the values in the form no longer match it. */
  clear(): void;
}

/** The call to run as soon as the page opens. */
export interface Start {
  readonly system: string;
  readonly name: string;
  /** The stored outcome, which a static site shows because it cannot run patterns. */
  readonly kept: RunView | undefined;
  readonly values: object;
  readonly cursor?: string | undefined;
  /** Whether the call can be run. */
  readonly isRunnable: boolean;
  /** The query in the page's address. A new object means that the pattern must run again. */
  readonly asked: object;
}

/** Delay, in milliseconds, before a run is shown as in progress. */
const UNNOTICED = 150;

/** If patterns can run, runs the first call as soon as the page opens, so that the page shows what the pattern does. */
export function useRun(source: Source, start: Start): Runner {
  const { system, name, kept, isRunnable } = start;
  const [values, setValues] = useState(start.values as Values);
  const [cursor, setCursor] = useState<string>();
  const [outcome, setOutcome] = useState(source.run === undefined ? kept : undefined);
  const [problem, setProblem] = useState('');
  const [isRunning, setRunning] = useState(false);
  const asked = useRef(0);
  const settle = (done: RunView | undefined, why: string) => {
    asked.current++;
    setRunning(false);
    setProblem(why);
    setOutcome(done);
  };
  const run = (wanted: object, from?: string) => {
    setValues(wanted as Values);
    setCursor(from);
    if (source.run === undefined) return;
    const number = ++asked.current;
    const isLast = () => number === asked.current;
    setTimeout(() => isLast() && setRunning(true), UNNOTICED);
    source.run(system, name, wanted, from).then(
      (done) => isLast() && settle(done, ''),
      (error: Error) => isLast() && settle(undefined, error.message),
    );
  };
  useEffect(() => {
    if (isRunnable) run(start.values, start.cursor);
    else settle(source.run === undefined ? kept : undefined, '');
  }, [system, name, start.asked]);
  return { values, outcome, problem, isRunning, cursor, run, clear: () => settle(undefined, '') };
}
