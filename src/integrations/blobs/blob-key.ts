const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const lengthMax = 500;

/**
 * No part begins with a dot, so the key never leads out of the store.
 * @throws Error for any other key, which is a fault of ours
 */
export function checkedKey(key: string): string {
  if (key.length > lengthMax || !key.split('/').every((name) => part.test(name)))
    throw new Error(`"${key.slice(0, 100)}" is no key of a blob.`);
  return key;
}
