/** Keys of blobs: folders and a name, of letters that are plain in file systems and in addresses. */

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const lengthMax = 500;

/**
 * The key as given. No part begins with a dot, so it never leads out of the store.
 * @throws Error for any other key, which is a fault of ours
 */
export function checkedKey(key: string): string {
  if (key.length > lengthMax || !key.split('/').every((name) => part.test(name)))
    throw new Error(`"${key.slice(0, 100)}" is no key of a blob.`);
  return key;
}
