/**
 * Which records are late. They carry Incidencia, whatever kept them: a failure of power, of the network or of the
 * invoicing system itself (Orden HAC/1177/2024, art. 16).
 */
import type { SenderState } from '../sender.store.ts';

/** A record goes at once, or after the authority's waiting time. A restart of the service is no incident. */
const lateMs = 300_000;

/** Records made before are late. Undefined while the authority's waiting time explains the wait. */
export function onTimeSince({ send_after }: Pick<SenderState, 'send_after'>, now: Date): Date | undefined {
  const since = new Date(now.getTime() - lateMs);
  return send_after !== null && send_after > since ? undefined : since;
}
