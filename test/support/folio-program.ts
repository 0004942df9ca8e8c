/** What a whole run bundles in place of src/main/folio.ts: the same, without what makes single sources load fast. */
import '../../src/main/first-parent.ts';
import { flushCompileCache } from 'node:module';
import './quick-chunks.ts';

// A test may kill it.
if (process.env.NODE_COMPILE_CACHE) setTimeout(flushCompileCache, 3000).unref();
const { runProgram } = await import('../../src/main/command-line.ts');
await runProgram();
