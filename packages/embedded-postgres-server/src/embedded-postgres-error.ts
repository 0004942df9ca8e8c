/**
 * An error of the person's machine. Its message is one sentence that names the way out.
 * Any other error is a fault of this package and keeps its stack.
 */
import type { Program } from './program.ts';

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

const notAFolder = 'a part of the path is not a folder';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission was denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: notAFolder,
  // A file, or a link that leads nowhere, has the name.
  EEXIST: notAFolder,
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the path is too long',
};

/** The name of a failed system call's error: `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Within /proc, say. Of anything but a folder that is made, this code is a fault of ours. */
function isRefusedFolder(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT' && (error as { syscall?: string }).syscall === 'mkdir';
}

/** Turns a refusal of the operating system into one sentence. Returns any other error unchanged. */
export function explainSystemError(error: unknown, data_dir: string, program: Program): unknown {
  if (error instanceof EmbeddedPostgresError) return error;
  const reason = isRefusedFolder(error) ? 'no folder can be made there' : REASONS[errnoOf(error) ?? ''];
  if (reason === undefined || !(error instanceof Error)) return error;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : data_dir;
  return new EmbeddedPostgresError(
    `The embedded database in ${data_dir} could not be used because ${reason} (${path}); ` +
      `see to that, ${program.use_other_folder}, or ${program.use_other_server}.`,
  );
}
