/**
 * After a dialog the focus goes back to what opened it. A button that asked the service before its dialog opened was
 * disabled meanwhile, and had lost it. Where the button is gone, because the act took it away, the heading of the page
 * takes the focus.
 */
import { useEffect } from 'react';

let last: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('[role="dialog"]') === null) last = target;
});

export function mendFocus(opener: HTMLElement | null | undefined = null): void {
  const { activeElement, body } = document;
  if (opener?.isConnected) opener.focus();
  else if (activeElement !== null && activeElement !== body) return;
  else if (last?.isConnected) last.focus();
  else document.querySelector('h1')?.focus({ preventScroll: true });
}

/** The button of a question may go away with it, or after it: an answer takes it away while it has the focus. */
export function useFocusMended(): void {
  useEffect(
    () => () => {
      if (last?.isConnected === false) mendFocus();
    },
    [],
  );
}
