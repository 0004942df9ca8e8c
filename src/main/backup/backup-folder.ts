/**
 * A backup is a folder: one compressed file a table, the files of documents, and a manifest, which is written last. A
 * folder without one is no backup.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { checkSchema } from '../../kernel/check.ts';
import { Type } from '../../kernel/schema.ts';
import { isUnreachable } from '../../platform/db.ts';
import { explainWriting, makeEmptyFolder } from '../../platform/new-folder.ts';
import { CommandError } from '../command-error.ts';

export type KeptTable = { name: string; columns: readonly string[]; rows: number; sha256: string };

export type Manifest = {
  format: 1;
  made_at: string;
  program: string;
  /** What was applied to the database, in order. */
  migrations: readonly { name: string; hash: string }[];
  /** Tells whether a secret key is the one that sealed what is inside. */
  secret_key_check: string;
  tables: readonly KeptTable[];
  /** Null where the files of documents were left out. */
  blobs: { count: number; bytes: number; list_sha256: string } | null;
};

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const manifestShape = Type.Object({
  format: Type.Literal(1),
  made_at: Type.String(),
  program: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), hash: Hash }), { minItems: 1 }),
  secret_key_check: Hash,
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z_0-9]+$' }),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      sha256: Hash,
    }),
    { minItems: 1 },
  ),
  blobs: Type.Union([
    Type.Object({ count: Type.Integer(), bytes: Type.Integer(), list_sha256: Hash }),
    Type.Null(),
  ]),
});

const manifestName = 'manifest.json';
const tablePath = (folder: string, name: string) => join(folder, 'tables', `${name}.copy.zst`);

/** @throws FolderRefused for a folder that holds anything, or that cannot be made */
export async function makeFolder(folder: string): Promise<void> {
  const parts = ['tables', 'blobs', 'blobs.list', `${manifestName}.new`];
  await makeEmptyFolder(folder, { what: 'backup', parts, last: manifestName }, 0o700);
  await mkdir(join(folder, 'tables'), { mode: 0o700 });
}

/**
 * What ended a backup, in a sentence, where the database went away or the disk is full or cannot be written to. Any
 * other error is unchanged.
 */
export function explainUnfinished(error: unknown, folder: string): unknown {
  // Of a file, such a code is another matter.
  if (!isUnreachable(error) || Object.hasOwn(error as object, 'path'))
    return explainWriting(error, 'backup', folder);
  return new CommandError(
    `The backup in ${folder} was not finished (${(error as Error).message}): ` +
      'remove that folder, and make the backup again once the database answers.',
  );
}

/** Readers find all of it or nothing. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, manifestName);
  const file = await open(`${path}.new`, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

function unreadable(folder: string, path: string, error: unknown): string {
  if (error instanceof SyntaxError) return damagedFile(path);
  const { code } = error as { code?: string };
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? `${folder} is no backup, or one that was not finished: it has no ${manifestName}.`
    : `${path} cannot be read (${code}): give this user the backup.`;
}

const damagedFile = (path: string) => `${path} is damaged: it is not what the backup wrote.`;

/** @throws CommandError */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(unreadable(folder, path, error));
  }
  const [issue] = checkSchema(manifestShape, read);
  if (issue) throw new CommandError(`${folder}: ${manifestName} is of another kind: ${issue.param}.`);
  return read as Manifest;
}

export const isBackup = (folder: string): Promise<boolean> =>
  readManifest(folder).then(
    () => true,
    () => false,
  );

/** Rows come one by one, and the compressor is dear to call. */
const chunkBytes = 256 * 1024;

/** Gathers, counts lines and hashes what passes. A line of COPY is a row. */
class Measured extends Transform {
  rows = 0;
  readonly #hash = createHash('sha256');
  #parts: Buffer[] = [];
  #bytes = 0;

  override _transform(part: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes >= chunkBytes) this.#passOn();
    done();
  }

  override _flush(done: () => void): void {
    this.#passOn();
    done();
  }

  #passOn(): void {
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    if (whole.length === 0) return;
    this.#hash.update(whole);
    for (let at = whole.indexOf(10); at !== -1; at = whole.indexOf(10, at + 1)) this.rows++;
    this.push(whole);
  }

  get sha256(): string {
    return this.#hash.digest('hex');
  }
}

/** @param rows in COPY text */
export async function writeTable(
  folder: string,
  name: string,
  rows: Readable,
): Promise<Pick<KeptTable, 'rows' | 'sha256'>> {
  const measured = new Measured();
  const file = createWriteStream(tablePath(folder, name), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(rows, measured, createZstdCompress(), file);
  return { rows: measured.rows, sha256: measured.sha256 };
}

/**
 * Reads a table's rows into `to`, and compares them with the manifest.
 * @throws CommandError when they are not what was written
 */
export async function readTable(folder: string, table: KeptTable, to: Writable): Promise<void> {
  const measured = new Measured();
  const path = tablePath(folder, table.name);
  const damaged = () => new CommandError(damagedFile(path));
  try {
    await pipeline(createReadStream(path), createZstdDecompress(), measured, to);
  } catch (error) {
    if (isOfFile(error)) throw damaged();
    throw error;
  }
  if (measured.rows !== table.rows || measured.sha256 !== table.sha256) throw damaged();
}

const isOfFile = (error: unknown) =>
  /^(ENOENT|EISDIR|ZSTD_|Z_)/.test(String((error as { code?: string }).code));
