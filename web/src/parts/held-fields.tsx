/** Fields that take no letter while what they hold is sent: it would not be part of it, and be lost. */
import { type ReactNode, useEffect, useRef } from 'react';
import { isNowhere } from './lost-focus.ts';

export function HeldFields({ is_held, children }: { is_held: boolean; children: ReactNode }) {
  const last = useRef<HTMLElement | null>(null);
  useEffect(() => {
    // A field that cannot be used loses the focus.
    if (!is_held && isNowhere()) last.current?.focus();
  }, [is_held]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees where the focus is
    <fieldset
      role="presentation"
      disabled={is_held}
      style={{ display: 'contents' }}
      onFocus={({ target }) => {
        last.current = target;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) last.current = null;
      }}
    >
      {children}
    </fieldset>
  );
}
