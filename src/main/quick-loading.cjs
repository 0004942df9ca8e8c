// What every process of the program runs first, so that it loads fast. CommonJS: for a TypeScript source that is not in the
// cache yet, Node loads its compiler, which takes as long as a tenth of all sources.
const { enableCompileCache, registerHooks } = require('node:module');
const { join } = require('node:path');

// If the cache cannot be written, starts are only slower. It is written before the service listens (open-service.ts), and at the end.
enableCompileCache(join(__dirname, '../../node_modules/.cache/folio'));

// Our own sources say exactly where they are and are all modules. Node would ask the file system of each, which takes a third
// of loading a thousand.
registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL || !/^\.\.?\/.*\.ts$/.test(specifier)) return next(specifier, context);
    return {
      url: new URL(specifier, context.parentURL).href,
      format: 'module-typescript',
      shortCircuit: true,
    };
  },
});
