/** Says aloud, to readers, what changed out of sight. */
import { VisuallyHidden } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const Say = createContext<(text: string) => void>(() => undefined);

export const useSay = () => useContext(Say);

export function LiveRegion({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  const say = useCallback((next: string) => {
    // The same words twice are said twice.
    setText((before) => (before === next ? `${next}\u00a0` : next));
  }, []);
  return (
    <Say value={say}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {text}
      </VisuallyHidden>
    </Say>
  );
}
