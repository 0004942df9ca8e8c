/**
 * Counts failed authentications in this process, on real time. After 20 a minute a sender waits: an IPv4 address, or
 * an IPv6 network of 64 bits, the least that one customer of a provider has. Only refusals ask: a valid key passes
 * whatever its neighbours do.
 */
import { networkOf } from '../kernel/ip-ranges.ts';
import { countInWindow } from './window-count.ts';

const failuresMax = 20;

export type AuthFailures = {
  /** Seconds to wait, or 0. */
  blockedFor(ip: string, now: Date): number;
  failed(ip: string, now: Date): void;
};

export function countAuthFailures(): AuthFailures {
  const { blockedFor, add } = countInWindow(failuresMax);
  return {
    blockedFor: (ip, now) => blockedFor(networkOf(ip), now),
    failed: (ip, now) => add(networkOf(ip), now),
  };
}
