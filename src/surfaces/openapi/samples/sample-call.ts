/** One call of an example, from which every language's sample is written. */
import { jsonMedia, type Example, type Operation } from '../../../kernel/operation.ts';
import type { ApiVersion } from '../../../kernel/versions.ts';
import { presentExample } from '../examples.ts';

export type SampleCall = {
  method: Operation['method'];
  url: string;
  /** Each call gets a fresh `Idempotency-Key`. */
  needs_retry_key: boolean;
  /** Pinned by `Service-Version`; null: none is sent. */
  version: ApiVersion | null;
  /** Undefined: none is sent. */
  body: unknown;
  /** The name of the file that the answer is kept in; null: the answer is JSON and is shown. */
  file: string | null;
};

/** What each sample reads the key from, so that nobody pastes a real one. */
export const keyVariable = 'FOLIO_API_KEY';

/** @param version what the sample pins; null for whoever follows the key's version */
export function sampleCall(
  operation: Operation,
  example: Example,
  { public_url, version = null }: { public_url: string; version?: ApiVersion | null },
): SampleCall {
  const { params = {}, query = {}, body } = presentExample(operation, example);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const media = operation.output_media_type;
  return {
    method: operation.method,
    url: `${public_url}${path}${search === '' ? '' : `?${search}`}`,
    needs_retry_key: operation.idempotency === 'required',
    version,
    body,
    file: media === jsonMedia ? null : `${operation.path.split('/').at(-1)}.${extensionOf(media)}`,
  };
}

/** Of `application/pdf` and its kind. */
function extensionOf(media: string): string {
  return (
    media
      .split(';')[0]
      ?.split(/[^a-z0-9]/)
      .at(-1) ?? 'bin'
  );
}
