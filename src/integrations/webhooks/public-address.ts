/**
 * Which addresses a receiver may have: public ones. Private, loopback, link-local, shared, multicast, reserved and
 * metadata addresses are refused in every form, IPv4 in IPv6 clothes included; an operator may allow ranges by name.
 */
import ipaddr from 'ipaddr.js';
import { addressAllowed } from '../../kernel/ip-ranges.ts';

/** Public by their range, and yet those of a cloud's own services. */
const metadata: ReadonlySet<string> = new Set(['168.63.129.16']);

/** @param allowed_ranges addresses and CIDR ranges that an operator allows besides */
export function isPublicAddress(ip: string, allowed_ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  if (allowed_ranges.length > 0 && addressAllowed(allowed_ranges, ip)) return true;
  const address = ipaddr.process(ip);
  return address.range() === 'unicast' && !metadata.has(address.toString());
}
