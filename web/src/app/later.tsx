/** What is not drawn at first is fetched when the page rests, or when it is drawn. */
import { type ComponentType, useEffect, useState } from 'react';
import { warn } from '../parts/tell.ts';
import { useCommonWords } from './common-words.ts';

const rest_ms = 1000;

type Loaded<P> = () => Promise<{ default: ComponentType<P> }>;

/** What somebody opens has `close`. */
type Closed = { close?(): void };

/**
 * The component, and a hook that fetches it when the page rests, so that it is there when it is needed. Where its code does
 * not come, as after a lost connection, the page stays with what is typed in it: React's `lazy` would take the page away.
 * Who opened it is told.
 */
export function later<P extends object>(load: Loaded<P>) {
  let known: ComponentType<P> | undefined;
  const fetchIt = async () => {
    known ??= (await load()).default;
    return known;
  };
  function Later(props: P & Closed) {
    const { failure } = useCommonWords();
    const [Found, setFound] = useState(() => known);
    // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is drawn
    useEffect(() => {
      if (known !== undefined) return;
      fetchIt().then(
        (found) => setFound(() => found),
        () => {
          if (props.close === undefined) return;
          warn(failure.part_missing);
          props.close();
        },
      );
    }, []);
    return Found && <Found {...props} />;
  }
  const useLoadedAtRest = () =>
    useEffect(() => {
      const timer = setTimeout(() => void fetchIt().catch(() => undefined), rest_ms);
      return () => clearTimeout(timer);
    }, []);
  return [Later, useLoadedAtRest] as const;
}
