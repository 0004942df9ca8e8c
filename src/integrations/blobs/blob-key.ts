/** Keys of blobs: folders and a name, of letters that mean nothing to a file system or in an address. */

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const lengthMax = 500;

/**
 * The key as it was given: no part of it begins with a dot, so it leads nowhere but down.
 * @throws Error for any other: a fault of who made it
 */
export function checkedKey(key: string): string {
  if (key.length > lengthMax || !key.split('/').every((name) => part.test(name)))
    throw new Error(`"${key.slice(0, 100)}" is no key of a blob.`);
  return key;
}
