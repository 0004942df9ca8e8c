/** IPv4 written as IPv6 (::ffff:1.2.3.4) is IPv4, so an allow-list means the same on any socket. */
import ipaddr from 'ipaddr.js';

/** `1.2.3.4:443` and `[::1]:443`, as some proxies write the caller: each connection has another port. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

function withoutPort(ip: string): string {
  const [, v4, v6] = withPort.exec(ip) ?? [];
  return v4 ?? v6 ?? ip;
}

/** An empty list allows any address. */
export function addressAllowed(ranges: readonly string[], written: string): boolean {
  if (ranges.length === 0) return true;
  const ip = withoutPort(written);
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const parsed = parseRange(range);
    return (
      parsed !== undefined &&
      parsed[0].kind() === address.kind() &&
      address.match(parsed[0], parsed[1]) &&
      !isOnAnotherLink(parsed[0], address)
    );
  });
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `fe80::1%eth0` and `fe80::1%eth1` are two hosts (RFC 4007). Only where both say their zone is that known. */
function isOnAnotherLink(named: Address, address: Address): boolean {
  const [zone, other] = [zoneOf(named), zoneOf(address)];
  return zone !== undefined && other !== undefined && zone !== other;
}

const zoneOf = (address: Address): string | undefined =>
  address.range() === 'linkLocal' ? (address as ipaddr.IPv6).zoneId : undefined;

/** An address or a CIDR range; undefined for any other text. */
export function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const size = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) {
    const plain = ipaddr.process(address);
    return [plain, plain.kind() === 'ipv4' ? 32 : 128];
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > size) return undefined;
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && Number(bits) >= 96) {
    return [(parsed as ipaddr.IPv6).toIPv4Address(), Number(bits) - 96];
  }
  return [parsed, Number(bits)];
}

/** The part of an address that tells whose it is: all of IPv4, the first 64 bits of IPv6. Other text stays as it is. */
export function networkOf(ip: string): string {
  const [bare = ''] = withoutPort(ip).split('%');
  if (!ipaddr.isValid(bare)) return ip;
  const address = ipaddr.process(bare);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
