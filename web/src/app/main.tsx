/** Asks who is signed in, then draws. Whoever is not is led to the page that signs in. */
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './base.css';
import { createRoot } from 'react-dom/client';
import '../parts/lost-focus.ts';
import { App } from './app.tsx';
import { nonce } from './server-words.ts';
import { readSession, signInAddress } from './session.tsx';
import { Unreachable } from './unreachable.tsx';

// Scroll locks look for it here, whatever the provider was told.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

const place = document.getElementById('root');
if (place === null) throw new Error('The shell has no root.');
const root = createRoot(place);

try {
  const session = await readSession();
  if (session === null) location.replace(signInAddress());
  else root.render(<App first={session} />);
} catch {
  root.render(<Unreachable />);
}

// A page that the browser kept after signing out is asked for again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
