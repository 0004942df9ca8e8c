import { useEffect, useState } from 'react';

/** Milliseconds; renews itself, but not while nobody sees the page. */
export function useNow(every_ms: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    }, every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return now;
}
