import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAllowed, networkOf, parseRange } from './ip-ranges.ts';

const readable: [text: string, is_range: boolean][] = [
  ['192.0.2.1', true],
  ['192.0.2.0/24', true],
  ['192.0.2.0/0', true],
  ['192.0.2.0/33', false],
  ['192.0.2.0/', false],
  ['192.0.2.0/24/24', false],
  ['192.0.2', false],
  ['0x7f.0.0.1', false],
  ['2001:db8::1', true],
  ['2001:db8::/129', false],
  ['2001:db8::/32', true],
  ['::ffff:192.0.2.1', true],
  ['localhost', false],
  ['', false],
];

for (const [text, is_range] of readable) {
  test(`"${text}" is ${is_range ? 'an' : 'no'} address or range`, () => {
    assert.equal(parseRange(text) !== undefined, is_range);
  });
}

const admitted: [ranges: string[], ip: string, allowed: boolean][] = [
  [[], '192.0.2.1', true],
  [['192.0.2.1'], '192.0.2.1', true],
  [['192.0.2.1'], '192.0.2.2', false],
  [['192.0.2.0/30'], '192.0.2.3', true],
  [['192.0.2.0/30'], '192.0.2.4', false],
  [['192.0.2.1'], '::ffff:192.0.2.1', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.255', true],
  [['::ffff:192.0.2.0/120'], '192.0.3.0', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['192.0.2.1', '2001:db8::1'], '2001:db8:0::1', true],
  [['192.0.2.1'], '192.0.2.1:50123', true],
  [['192.0.2.1'], '192.0.2.2:50123', false],
  [['2001:db8::/32'], '[2001:db8::1]:50123', true],
  [['192.0.2.1'], 'no address', false],
  // Figures are decimal, so this is no /20.
  [['192.0.2.1/024'], '192.0.2.255', true],
  [['192.0.2.1/024'], '192.0.3.1', false],
  // An address of a link is another host on each link. Without its zone it is of any.
  [['fe80::1%eth0'], 'fe80::1%eth0', true],
  [['fe80::1%eth0'], 'fe80::1%eth1', false],
  [['fe80::1%eth0'], '[fe80::1%eth1]:50123', false],
  [['fe80::%eth0/64'], 'fe80::5%eth0', true],
  [['fe80::%eth0/64'], 'fe80::5%eth1', false],
  [['fe80::%eth0/64', 'fe80::5%eth1'], 'fe80::5%eth1', true],
  [['fe80::1%eth0'], 'fe80::2%eth0', false],
  [['fe80::1'], 'fe80::1%eth1', true],
  // A proxy may leave the zone out.
  [['fe80::1%eth0'], 'fe80::1', true],
  // There is one host of such an address, whatever the zone.
  [['2001:db8::1%eth0'], '2001:db8::1', true],
  [['2001:db8::1%eth0'], '2001:db8::1%eth1', true],
  [['::ffff:192.0.2.1%eth0'], '192.0.2.1', true],
];

for (const [ranges, ip, allowed] of admitted) {
  test(`[${ranges.join(', ')}] ${allowed ? 'admits' : 'refuses'} ${ip}`, () => {
    assert.equal(addressAllowed(ranges, ip), allowed);
  });
}

const networks = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:db8::7:1:2:3:4', '2001:db8:0:7::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['[2001:db8::7:1:2:3:4]:50123', '2001:db8:0:7::/64'],
  ['no address', 'no address'],
] as const;
for (const [ip, network] of networks) {
  test(`${ip} belongs to ${network}`, () => assert.equal(networkOf(ip), network));
}
