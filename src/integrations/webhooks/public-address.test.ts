import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

const refused = [
  '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1',
  '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16',
  '::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '64:ff9b::7f00:1', '64:ff9b::10.0.0.7', '64:ff9b::a83f:8110', '64:ff9b:1::8.8.8.8',
  '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '2001::1', '100::1',
  '::7f00:1', '::a9fe:a9fe', '::2', '1::1', '100:0:0:1::1', '4000::1', 'fe00::1', '2606:4700:4700::1111%eth0',
  'no address', '', '127.1', '0x7f.1', '2130706433',
]; // biome-ignore format: one list

for (const ip of refused) {
  test(`given ${ip || 'nothing'}, then no receiver may be there`, () => {
    assert.equal(isPublicAddress(ip, []), false);
  });
}

for (const ip of [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4003::8a',
  '64:ff9b::8.8.8.8',
]) {
  test(`given ${ip}, then a receiver may be there`, () => {
    assert.equal(isPublicAddress(ip, []), true);
  });
}

test('given a range that the operator allows, then it is allowed, and its neighbours are not', () => {
  assert.equal(isPublicAddress('127.0.0.1', ['127.0.0.0/8']), true);
  assert.equal(isPublicAddress('::ffff:127.0.0.1', ['127.0.0.0/8']), true);
  assert.equal(isPublicAddress('10.0.0.1', ['127.0.0.0/8']), false);
  assert.equal(isPublicAddress('::1', ['::1']), true);
  assert.equal(isPublicAddress('64:ff9b::10.0.0.7', ['10.0.0.0/8']), false);
});
