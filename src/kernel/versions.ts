/** API versions. docs/changelog.md says what each changed. */
import { commonErrors as c } from './common.errors.ts';
import { fail } from './problem.ts';

export const apiVersions = ['2026-06-01', '2026-10-01'] as const;
export type ApiVersion = (typeof apiVersions)[number];
export const latestVersion: ApiVersion = '2026-10-01';

export function isApiVersion(text: string): text is ApiVersion {
  return (apiVersions as readonly string[]).includes(text);
}

/** @throws 400 parameter_invalid_format when malformed, unsupported_api_version for any other date */
export function readVersion(asked: string): ApiVersion {
  if (!isDate(asked)) {
    const message = 'Debe ser una fecha existente, AAAA-MM-DD.';
    const errors = [{ param: 'version', code: c.parameter_invalid_format.code, message }];
    throw fail(c.parameter_invalid_format, { member: 'version', errors });
  }
  if (!isApiVersion(asked))
    throw fail(c.unsupported_api_version, {
      member: 'version',
      values: { version: asked, known: apiVersions.join(', ') },
    });
  return asked;
}

function isDate(text: string): boolean {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function isAtLeast(version: string, since: ApiVersion): boolean {
  return version >= since;
}
