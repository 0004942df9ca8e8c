/**
 * Which addresses a receiver may have: public ones. Private, loopback, link-local, shared, multicast, reserved and
 * metadata addresses are refused in every form, IPv4 in IPv6 clothes included; an operator may allow ranges by name.
 */
import ipaddr from 'ipaddr.js';
import { addressAllowed } from '../../kernel/ip-ranges.ts';

/** Public by their range, and yet those of a cloud's own services. */
const metadata: ReadonlySet<string> = new Set(['168.63.129.16']);

/** All that is given out of IPv6 to be reached from anywhere; the rest is of no network, or of one that is not public. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** @param allowed_ranges addresses and CIDR ranges that an operator allows besides */
export function isPublicAddress(ip: string, allowed_ranges: readonly string[]): boolean {
  // A zone names a link of this machine.
  if (!ipaddr.isValid(ip) || ip.includes('%')) return false;
  if (allowed_ranges.length > 0 && addressAllowed(allowed_ranges, ip)) return true;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv6' && !address.match(globalIpv6)) return false;
  return address.range() === 'unicast' && !metadata.has(address.toString());
}
