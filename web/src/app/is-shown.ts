import { useCallback, useEffect, useRef } from 'react';

/** Whether the part that asks is still on the page, for answers that come late. */
export function useIsShown(): () => boolean {
  const is_shown = useRef(true);
  useEffect(() => {
    is_shown.current = true;
    return () => {
      is_shown.current = false;
    };
  }, []);
  return useCallback(() => is_shown.current, []);
}
