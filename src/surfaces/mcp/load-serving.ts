/**
 * Loads what serves the calls of tools, with the first of them. The package of the protocol and what it is made of took a tenth of a second
 * in one turn of the event loop, so its parts come one after another, and other calls have their turn between two.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What is needed by another stands before it. The last one is what `serve.ts` imports; the others are its own packages, not of this service. */
const parts = [
  'zod/v4',
  '@modelcontextprotocol/core/internal',
  '@modelcontextprotocol/server/_shims',
  '@modelcontextprotocol/server',
] as const;

export async function loadServing() {
  for (const part of parts) {
    // One that is not found from here comes with the last one.
    await import(part).catch(() => undefined);
    await nextTurn();
  }
  const { makeFactory, serveMcp } = await import('./serve.ts');
  // The first call compiles schemas of the protocol.
  await nextTurn();
  return { makeFactory, serveMcp };
}
