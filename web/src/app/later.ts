/** What is not drawn at first is fetched when the page rests. */
import { type ComponentType, lazy, useEffect } from 'react';

const rest_ms = 1000;

type Loaded<P> = () => Promise<{ default: ComponentType<P> }>;

/** The component, and a hook that fetches it when the page rests, so that it is there when it is needed. */
export function later<P extends object>(load: Loaded<P>) {
  const useLoadedAtRest = () =>
    useEffect(() => {
      const timer = setTimeout(() => void load().catch(() => undefined), rest_ms);
      return () => clearTimeout(timer);
    }, []);
  return [lazy(load), useLoadedAtRest] as const;
}
