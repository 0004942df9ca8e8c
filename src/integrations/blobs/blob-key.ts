const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const lengthMax = 500;

/** Of one part of a key: the name of a folder or file, where there are some. */
export const isKeyPart = (name: string): boolean => part.test(name);

/**
 * No part begins with a dot, so the key never leads out of the store.
 * @throws Error for any other key, which is a fault of ours
 */
export function checkedKey(key: string): string {
  if (key.length > lengthMax || !key.split('/').every(isKeyPart))
    throw new Error(`"${key.slice(0, 100)}" is no key of a blob.`);
  return key;
}
