/**
 * The program. Reading several hundred sources takes most of the time of a start, so what Node made of them is
 * kept beside the installed packages; where that folder cannot be written, starts are slower and nothing else.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/folio', import.meta.url));
enableCompileCache(cache);
// A service may run for months and end by a signal that lets it write nothing.
setTimeout(flushCompileCache, 5000).unref();
await import('./command-line.ts');
