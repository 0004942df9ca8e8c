/**
 * Receivers have public addresses. Private, loopback, link-local, shared, multicast, reserved and metadata addresses
 * are refused, also as IPv4 within IPv6.
 */
import ipaddr from 'ipaddr.js';
import { addressAllowed } from '../../kernel/ip-ranges.ts';

/** Public by range, but a cloud's own services. */
const metadata: ReadonlySet<string> = new Set(['168.63.129.16']);

/** No other IPv6 range is public. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Where a network without IPv4 reaches it by a translator (RFC 6052). The last four bytes are the IPv4 address. */
const translated = ipaddr.parseCIDR('64:ff9b::/96');

/** @param allowed_ranges addresses and CIDR ranges that an operator allows besides */
export function isPublicAddress(ip: string, allowed_ranges: readonly string[]): boolean {
  // A zone names a link of this machine.
  if (!ipaddr.isValid(ip) || ip.includes('%')) return false;
  if (allowed_ranges.length > 0 && addressAllowed(allowed_ranges, ip)) return true;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv6' && address.match(translated))
    return isPublicAddress(address.toByteArray().slice(-4).join('.'), []);
  if (address.kind() === 'ipv6' && !address.match(globalIpv6)) return false;
  return address.range() === 'unicast' && !metadata.has(address.toString());
}
