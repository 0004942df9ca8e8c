/** What an application is answered, in the words of RFC 6749, RFC 8707 and OpenID Connect. */
export type OAuthError =
  | 'access_denied'
  | 'interaction_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** The description is English and ASCII, for the developer of the application; it holds nothing that came in. */
export class OAuthRefusal extends Error {
  readonly error: OAuthError;
  readonly description: string;
  readonly retry_after_seconds: number | undefined;

  constructor(error: OAuthError, description: string, retry_after_seconds?: number) {
    super(error);
    this.name = 'OAuthRefusal';
    this.error = error;
    this.description = description;
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** One answer for all that may be wrong with a code or a token: nobody learns which of them exist. */
export function invalidGrant(): OAuthRefusal {
  return new OAuthRefusal(
    'invalid_grant',
    'The grant is unknown, expired, used, revoked or not of this client.',
  );
}
