/** A clock that has stepped back does not stop the records; it raises the alarm (Orden HAC/1177/2024, arts. 6 to 9). */
import { type LogContext, logEvents } from '../event-log/event-log.ts';
import { isClockBehind, lastLink } from './chain.ts';
import type { Recorder } from './recorder.ts';
import type { ChainHead } from './records.rows.ts';
import { raiseAlarm } from './registration.store.ts';

const text = 'El reloj va más de un minuto por detrás de la última hora de la cadena.';

/**
 * Where the alarm stands already, nothing is told again. In no-verifactu mode the log has an event 04 of the record whose stamp
 * is after the time of the clock. Whoever records has signed, so the event can be signed too.
 * @param head locked, and moved on to the records that were made
 */
export async function raiseClockAlarm(ctx: LogContext, recorder: Recorder, head: ChainHead): Promise<void> {
  const { tx, company, now } = ctx;
  if (!isClockBehind(head.last_recorded_at, now)) return;
  const is_raised = await raiseAlarm(tx, company.company_id, 'clock_behind', now);
  if (!is_raised || recorder.mode !== 'no_verifactu') return;
  await logEvents(ctx, [{ details: { type: '04', anomaly: '13', text, record: lastLink(head) } }]);
}
