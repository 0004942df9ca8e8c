import { availableParallelism } from 'node:os';

/**
 * How many processes of one kind (printers, readers of scans) a process of the service starts at most. One processor is
 * for the service itself. More than four would only wait for memory. Two at least: one company never has more than half.
 * @param processes of the service, which share the machine
 */
export function helpersOf(processes: number): number {
  return Math.max(2, Math.min(4, Math.floor((availableParallelism() - 1) / processes)));
}
