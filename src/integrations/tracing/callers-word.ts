/**
 * Decides whether to keep a trace that its caller says is kept (`traceparent` that ends with `-01`). Anybody may send
 * that, without a key, so only so many are believed in a second. The others have the chance of any call.
 */
import { type Context, SpanKind } from '@opentelemetry/api';
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';

/** In each process: some eighty spans. */
export const believedPerSecond = 10;

const windowMs = 1000;

/** @param percent of the others. Not by the id of the trace: the caller chose it. */
export function samplerOfCallers(percent: number): Sampler {
  let since = 0;
  let believed = 0;

  function isBelieved(): boolean {
    const now = Date.now();
    if (now < since || now >= since + windowMs) {
      since = now;
      believed = 0;
    }
    if (believed >= believedPerSecond) return false;
    believed++;
    return true;
  }

  return {
    shouldSample(_context: Context, _trace_id: string, _name: string, kind: SpanKind) {
      // Work that is no request goes on with a trace that this service stored itself.
      const is_kept = kind !== SpanKind.SERVER || isBelieved() || Math.random() * 100 < percent;
      return { decision: is_kept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `Callers{${believedPerSecond}/s, ${percent}%}`,
  };
}
