#!/usr/bin/env node
// The program, and what `npx folio` runs. CommonJS, so that an older Node can say that it is too old.
require('../../scripts/preflight.cjs');
require('./quick-loading.cjs');
import('./folio.ts').catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
