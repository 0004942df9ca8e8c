/**
 * After a dialog the focus goes back to what opened it. Where that is gone, because it was in another dialog or the act
 * took it away, the heading of the page takes it.
 */
export function mendFocus(opener?: HTMLElement | null): void {
  if (opener?.isConnected) opener.focus();
  else if (document.activeElement === null || document.activeElement === document.body)
    document.querySelector('h1')?.focus({ preventScroll: true });
}
