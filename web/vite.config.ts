/**
 * Built by scripts/build-web.cjs, which says where. The addresses in the shell begin with `./`: the server puts its base
 * before them, and fills in the nonce and the base for the router.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The colour scheme is set before the first paint, so its script is no module: a module waits for the page. */
function schemeFirst(): Plugin {
  let file = '';
  return {
    name: 'scheme-first',
    buildStart() {
      if (this.meta.watchMode) return;
      const source = readFileSync(here('./src/app/scheme-first.js'), 'utf8');
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      file = `assets/scheme-first-${hash}.js`;
      this.emitFile({ type: 'asset', fileName: file, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { server }) => [
        {
          tag: 'script',
          attrs: { src: server ? '/dashboard/src/app/scheme-first.js' : `./${file}` },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

const service = process.env.FOLIO_DEV_SERVICE ?? 'http://127.0.0.1:3000';
const fromService = '^/(?!dashboard/(?!api/)).*';

export default defineConfig(({ command }) => ({
  root: here('.'),
  base: command === 'build' ? './' : '/dashboard/',
  publicDir: false,
  plugins: [react(), schemeFirst()],
  html: command === 'build' ? { cspNonce: '__FOLIO_NONCE__' } : {},
  build: {
    outDir: here('./dist'),
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // What comes with the first load is one file, and what three pages share another: many small ones pack worse, each page would
    // name them, and each costs browser and service a request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 2 },
            { name: 'parts', minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  // The service sees its own address, so that origins agree.
  server: { port: 5173, proxy: { [fromService]: { target: service, changeOrigin: false, xfwd: false } } },
}));
