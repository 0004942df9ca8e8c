/** A real S3 server with one access key. It does not check signatures of version 4. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// @ts-expect-error it brings no types
import UntypedServer from 's3rver';

type Server = { run(): Promise<{ port: number }>; close(): Promise<void> };
const S3Server = UntypedServer as new (options: object) => Server;

export const bucket = 'facturas';

export type S3Server = {
  /** For FOLIO_BLOB_URL. */
  urlOf(options?: { access_key?: string; bucket?: string; prefix?: string }): string;
  /** Writes objects to the server's own files, which takes a tenth of what a request takes. */
  fill(keys: readonly string[]): void;
  close(): Promise<void>;
};

/** @param port any free one when left out */
export async function startS3Server(port = 0): Promise<S3Server & { port: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'folio-s3-'));
  const options = {
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  };
  const server = new S3Server(options);
  const address = await server.run();
  return {
    port: address.port,
    urlOf: ({ access_key = 'S3RVER', bucket: name = bucket, prefix = '' } = {}) =>
      `s3:http://${access_key}:the-secret@127.0.0.1:${address.port}/${name}${prefix}`,
    fill(keys) {
      for (const key of keys) {
        const object = join(directory, bucket, `${key}._S3rver_object`);
        mkdirSync(dirname(object), { recursive: true });
        writeFileSync(object, 'x');
        writeFileSync(`${object}.md5`, '9dd4e461268c8034f5c8564e155c67a6');
      }
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
