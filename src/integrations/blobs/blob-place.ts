/**
 * Reads FOLIO_BLOB_URL: a folder, or a bucket of a store that speaks the S3 protocol.
 * - file:///var/lib/folio/blobs
 * - s3:https://ACCESS_KEY:SECRET@s3.eu-west-1.amazonaws.com/bucket/prefix?region=eu-west-1
 */
import { fileURLToPath } from 'node:url';
import { checkedKey } from './blob-key.ts';

export type S3Place = {
  kind: 's3';
  /** Scheme, host and port. */
  origin: string;
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  region: string;
  access_key: string;
  secret: string;
};

export type BlobPlace = { kind: 'folder'; folder: string } | S3Place;

/** Never quotes the address, which may hold the secret. */
export class BlobUrlError extends Error {}

const form =
  's3:https://ACCESS_KEY:SECRET@host/bucket or s3:https://ACCESS_KEY:SECRET@host/bucket/prefix?region=…';

/** @throws BlobUrlError whose words follow the name of the setting */
export function readBlobUrl(text: string): BlobPlace {
  if (text.startsWith('file:')) return readFolder(text);
  if (text.startsWith('s3:')) return readBucket(text.slice('s3:'.length));
  throw new BlobUrlError(`must begin with file:// or be of the form ${form}`);
}

function readFolder(text: string): BlobPlace {
  const wrong = new BlobUrlError(
    'must name a folder of this machine from its root, as file:///var/lib/folio/blobs',
  );
  if (!/^file:\/\/\//.test(text) || !URL.canParse(text)) throw wrong;
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '' || url.pathname === '/') throw wrong;
  try {
    return { kind: 'folder', folder: fileURLToPath(url) };
  } catch {
    throw wrong;
  }
}

function readBucket(text: string): S3Place {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== '')
    throw new BlobUrlError(`must be of the form ${form}`);
  if (url.username === '' || url.password === '')
    throw new BlobUrlError('must hold access key and secret before the host, each percent-encoded');
  const unknown = [...url.searchParams.keys()].filter((name) => name !== 'region');
  if (unknown.length > 0) throw new BlobUrlError('takes no parameter but region');
  const [bucket = '', ...folders] = url.pathname.replace(/^\/+|\/+$/g, '').split('/');
  try {
    const prefix = folders.length === 0 ? '' : `${checkedKey(folders.join('/'))}/`;
    return {
      kind: 's3',
      origin: url.origin,
      bucket: checkedKey(bucket),
      prefix,
      region: url.searchParams.get('region') || 'us-east-1',
      access_key: decodeURIComponent(url.username),
      secret: decodeURIComponent(url.password),
    };
  } catch {
    throw new BlobUrlError(
      'must name a bucket, and perhaps a prefix, of letters, digits, dots, hyphens and underscores',
    );
  }
}
