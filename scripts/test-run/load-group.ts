import { before, test } from 'node:test';

/**
 * Loads a group's files into this process. No test begins before all are loaded: when the last known test
 * ends, node runs the closing hooks.
 */
export async function loadGroup(urls: readonly string[]): Promise<void> {
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  before(() => loaded);
  for (const url of urls) {
    try {
      await import(url);
    } catch (error) {
      test(`${url} cannot be loaded`, () => {
        throw error;
      });
    }
  }
  resolve();
}
