/** Part (i): deliveries per second, time to the first byte, and what a dead endpoint costs others. */
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import type { Figure } from './statistics.ts';
import { openStage } from './webhook-stage.ts';
import { compareLatency } from './webhooks-latency.ts';
import { compareDead, compareThroughput } from './webhooks-throughput.ts';

const part = '(i) webhooks';

export async function measureWebhooks(place: Place, options: BenchOptions): Promise<Figure[]> {
  const stage = await openStage(place, options);
  try {
    return [
      ...(await compareLatency(part, place, stage, options)),
      ...(await compareThroughput(part, place, stage, options)),
      ...(await compareDead(part, place, stage, options)),
    ];
  } finally {
    await stage.close();
  }
}
