/** Decides whether a call is sent again, and after how long. Pure, so that the test has each case in a table. */

/** What came back: an answer of the API, one of something in between, or none. */
export type Outcome = {
  /** Null when no answer came. */
  status: number | null;
  /** The API's; null when the answer is not the API's. */
  code: string | null;
  /** Null when it was not said. */
  retry_after_seconds: number | null;
};

export type RetrySettings = {
  /** Sendings after the first. */
  retries: number;
  /** Of the waits of one call, in all. A longer Retry-After ends the call at once. */
  wait_max_ms: number;
};

/** Before the first repetition; it doubles each time. */
const firstPauseMs = 250;
const longestPauseMs = 8000;

/** These say that nothing was done, whatever was asked. */
const neverDone = new Set([
  'rate_limit_exceeded',
  'company_share_exceeded',
  'resource_locked',
  'request_timeout',
]);
/** Of the API, or of a proxy before it. The call may have been done. */
const unknownStatuses = new Set([500, 502, 503, 504]);

/**
 * @param may_repeat whether sending it twice does it once: it changes nothing, or has an idempotency key
 * @param repeated how often it was sent again already
 * @param waited_ms how long this call has waited already
 * @param random from 0 to 1
 * @returns milliseconds to wait, or null to give up
 */
export function pauseBefore(
  outcome: Outcome,
  may_repeat: boolean,
  { repeated, waited_ms, random }: { repeated: number; waited_ms: number; random: number },
  { retries, wait_max_ms }: RetrySettings,
): number | null {
  if (repeated >= retries || !isWorthIt(outcome, may_repeat)) return null;
  const usual = Math.min(longestPauseMs, firstPauseMs * 2 ** repeated);
  // Callers that were refused together do not come back together.
  const spread = usual * (0.5 + random / 2);
  const { retry_after_seconds: asked } = outcome;
  const wanted = asked === null ? spread : asked * 1000;
  // What spreads the callers does not count: a limit of so many a minute may ask for the whole minute.
  if (waited_ms + wanted > wait_max_ms) return null;
  return asked === null ? spread : wanted + spread / 4;
}

/**
 * Reads a Retry-After (RFC 9110, 10.2.3).
 * @param now Unix milliseconds
 * @returns seconds from now, 0 for a date that has passed; null when there is none, or none that can be read
 */
export function retryAfterSeconds(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  // `Date.parse` reads almost anything as a date. An HTTP date ends with GMT.
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

function isWorthIt({ status, code }: Outcome, may_repeat: boolean): boolean {
  if (code !== null && neverDone.has(code)) return true;
  // 429 of a proxy: it let nothing through.
  if (status === 429 && code === null) return true;
  return may_repeat && (status === null || unknownStatuses.has(status));
}
