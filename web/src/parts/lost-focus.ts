/**
 * Where the focus goes when what had it cannot have it any more.
 *
 * A button that is disabled while its act runs has it again afterwards. After a dialog the focus goes back to what opened it. A button that asked the service before its dialog opened was
 * disabled meanwhile, and had lost it. Where the button is gone, because the act took it away, the heading of the page
 * takes the focus.
 */
import { type RefObject, useEffect, useRef } from 'react';

let last: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('[role="dialog"]') === null) last = target;
});

/** Who had the focus cannot have it any more. */
export const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** It had the focus when it was disabled. */
let waiting: EventTarget | null = null;

new MutationObserver((changes) => {
  for (const { target } of changes) {
    if (!(target instanceof HTMLButtonElement)) continue;
    if (target.disabled) {
      if (document.activeElement === target) waiting = target;
    } else if (target === waiting) {
      waiting = null;
      if (isNowhere()) target.focus({ preventScroll: true });
    }
  }
}).observe(document, { subtree: true, attributeFilter: ['disabled'] });

export function mendFocus(opener: HTMLElement | null | undefined = null): void {
  if (opener?.isConnected) opener.focus();
  else if (!isNowhere()) return;
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

/** To the field that was refused, or back to the button, which loses the focus while the act runs. */
export function useFocusAfterRefusal(error: Error | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error === null) return;
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (refused) refused.focus();
    else if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [error]);
  return form;
}
