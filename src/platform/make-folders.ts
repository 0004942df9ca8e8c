/**
 * A folder with those above it. Node's recursion does not end where a folder exists in which nobody can make one, such as
 * /proc, and says ENOENT where the file system is read-only.
 */
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as { code?: string }).code;

/** @param mode of the folders that are missing */
export async function makeFolders(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) return await acceptFolder(path, error);
    await makeFolders(dirname(path), mode);
    await mkdir(path, mode).catch((again: unknown) => acceptFolder(path, again));
  }
}

/** Another process may have been first. */
async function acceptFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw error;
}

/** As `makeFolders`, at a start. */
export function makeFoldersSync(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFoldersSync(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
