/** A folder that a command fills from nothing: a backup, an export. */
import { access, constants, readdir } from 'node:fs/promises';
import { makeFolders } from './make-folders.ts';

/** The message says what is wrong with the folder, and what to do. */
export class FolderRefused extends Error {}

/** What a command writes into the folder. */
export type Filling = {
  what: 'backup' | 'export';
  parts: readonly string[];
  /** Written last: without it, what is there was not finished. */
  last: string;
};

/** @throws FolderRefused for a folder that holds anything, or that cannot be made or written to */
export async function makeEmptyFolder(folder: string, filling: Filling | null, mode?: number): Promise<void> {
  try {
    await makeFolders(folder, mode);
    const names = await readdir(folder);
    if (names.length > 0) throw new FolderRefused(`${folder} is not empty${toldOf(names, filling)}.`);
    await access(folder, constants.W_OK);
  } catch (error) {
    if (error instanceof FolderRefused || !(error as { syscall?: string }).syscall) throw error;
    throw new FolderRefused(
      `The folder ${folder} cannot be used (${(error as Error).message}): ` +
        'name one that this user may make on a disk that can be written to.',
    );
  }
}

const withArticle = { backup: 'a backup', export: 'an export' } as const;

/** A killed command leaves what it had written, and nobody else may know what that is. */
function toldOf(names: readonly string[], filling: Filling | null): string {
  if (!filling || names.some((name) => name !== filling.last && !filling.parts.includes(name))) return '';
  return names.includes(filling.last)
    ? `: it holds a finished ${filling.what}, so name another one`
    : `: it holds ${withArticle[filling.what]} that was not finished, so remove it, or name another one`;
}

/** A file could not be written: the disk is full, or fails. */
export const isOfDisk = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EROFS|EIO)$/.test(String((error as { code?: string } | null)?.code));

/**
 * What a write within the folder failed by, in a sentence where its disk is full or cannot be written to. Any other
 * error is unchanged.
 */
export function explainWriting(error: unknown, what: 'backup' | 'export', folder: string): unknown {
  if (!isOfDisk(error)) return error;
  return new FolderRefused(
    `The ${what} in ${folder} was not finished (${(error as Error).message}): ` +
      `remove that folder, and make the ${what} on a disk with more room.`,
  );
}
