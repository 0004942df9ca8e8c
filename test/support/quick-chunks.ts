/**
 * What programs of a whole run have in place of src/main/quick-loading.cjs: pieces of a bundle name each other where they are, so
 * Node need not ask the file system for each.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL || !/^\.\/[\w-]+\.mjs$/.test(specifier)) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
  },
});
