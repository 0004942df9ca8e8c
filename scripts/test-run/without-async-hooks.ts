/**
 * Loaded before a test file. Node's test runner follows each promise by an async hook, only to name the test whose
 * error nobody awaited. That takes a quarter of the time of tests that call a service. Without it such an error still
 * fails its file, and its stack is printed.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
const inert = () => {
  const hook = { enable: () => hook, disable: () => hook };
  return hook;
};
Object.assign(asyncHooks, { createHook: inert });
// The runner takes the function when it is loaded.
await import('node:test');
Object.assign(asyncHooks, { createHook });

const tell = (error: unknown) => console.error(error instanceof Error ? error.stack : error);
process.on('uncaughtExceptionMonitor', tell);
// Before the runner listens, a listener of ours would keep a rejection from ending the process.
process.on('newListener', function listen(name: string) {
  if (name !== 'unhandledRejection') return;
  process.off('newListener', listen);
  process.on('unhandledRejection', tell);
});
