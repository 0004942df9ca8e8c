/**
 * The program. Compiling its sources takes most of a start, so the result is cached. If the cache cannot be written,
 * starts are only slower.
 */
import './first-parent.ts';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/folio', import.meta.url));
enableCompileCache(cache);
// A service may run for months and end by a signal that lets it write nothing.
setTimeout(flushCompileCache, 5000).unref();
await import('./command-line.ts');
