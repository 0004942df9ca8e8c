/**
 * Reads one file at a time. It is no thread: a process can be ended while it hangs inside a parser, and its fall takes
 * nothing else with it (ADR 51).
 */
import { wasMemoryRefused } from './parser-memory.ts';
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import type { Answered, Ready } from '../processes/process-seat.ts';
import { readScan } from './read-scan.ts';

export type ReadRequest = { bytes: Uint8Array; media_type: string };

/** Nothing that a file asks for is fetched: no parser here can do so, and Node's own network is closed. */
function closeNetwork(): void {
  const refuse = () => {
    throw new Error('A reader has no network.');
  };
  Object.assign(net.Socket.prototype, { connect: refuse });
  Object.assign(net.Server.prototype, { listen: refuse });
  Object.assign(dgram.Socket.prototype, { send: refuse, connect: refuse, bind: refuse });
  for (const names of [dns, dns.Resolver.prototype, dns.promises, dns.promises.Resolver.prototype])
    for (const name of Object.getOwnPropertyNames(names))
      if (/^(lookup|resolve|reverse)/.test(name)) Object.assign(names, { [name]: refuse });
}

/** Memory does not come back: with more than this, the next file gets a fresh process. */
const spentBytes = 220_000_000;

async function answer(request: ReadRequest): Promise<Answered<ScanReading>> {
  try {
    const done = await readScan(request);
    const resident = process.memoryUsage.rss();
    return { done, resident, is_spent: wasMemoryRefused() || resident > spentBytes };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { fault, is_spent: wasMemoryRefused() };
  }
}

closeNetwork();
// A terminal's signal reaches the whole group, but the service still needs what is under way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
process.on('message', async (request: ReadRequest) => process.send?.(await answer(request)));
process.send?.({ is_ready: true } satisfies Ready);
