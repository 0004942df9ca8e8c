import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostShares, hostOf } from './host-shares.ts';

/** Lanes are named by company and number, and send one request whenever they may. */
function sending(limits = { of_host: 4, of_company_at_host: 2, of_company: 3 }) {
  const shares = new HostShares(limits);
  const begun: string[] = [];
  const ask = (lane: string, host: string) => {
    const owner_id = lane[0]!;
    if (shares.begin(lane, { owner_id, host, retry: () => ask(lane, host) })) begun.push(`${lane} ${host}`);
  };
  const end = (lane: string, host: string) => shares.end(lane, { owner_id: lane[0]!, host });
  return { shares, begun, ask, end };
}

test('given a company with many slow receivers at one host, when another sends there, then it has a place', () => {
  const { begun, ask, end } = sending();
  for (const lane of ['a1', 'a2', 'a3', 'a4']) ask(lane, 'x');
  ask('b1', 'x');
  assert.deepEqual(begun, ['a1 x', 'a2 x', 'b1 x']);
  end('a1', 'x');
  assert.deepEqual(begun.slice(3), ['a3 x'], 'who waits longest is next');
});

test('given a company with slow receivers at many hosts, then they are bounded, and others are not', () => {
  const { begun, ask, end } = sending();
  for (const host of ['x', 'y', 'z', 'w']) ask(`a${host}`, host);
  for (const host of ['x', 'y', 'z', 'w']) ask(`b${host}`, host);
  assert.deepEqual(begun, ['ax x', 'ay y', 'az z', 'bx x', 'by y', 'bz z']);
  end('ax', 'x');
  assert.deepEqual(begun.slice(6), ['aw w']);
});

test('given endpoints of a company whose requests hang, when another one of it sends to that host, then it has a place', () => {
  const { begun, ask, end } = sending({ of_host: 128, of_company_at_host: 10, of_company: 20 });
  for (let i = 0; i < 10; i++) ask(i % 2 ? 'a2' : 'a1', 'x');
  assert.equal(begun.length, 8, 'the last fifth is for endpoints that have none under way');
  ask('a3', 'x');
  assert.deepEqual(begun.slice(8), ['a3 x']);
  end('a3', 'x');
  ask('a3', 'x');
  assert.deepEqual(begun.slice(9), ['a3 x'], 'who has many waits on');
  end('a1', 'x');
  end('a2', 'x');
  assert.deepEqual(begun.slice(10), ['a1 x'], 'who waits longest is next');
});

test('given a host that is full, when a place is free, then the lane that asked first has it; an ended lane has none', () => {
  const { shares, begun, ask, end } = sending();
  for (const lane of ['a1', 'a2', 'b1', 'b2', 'c1', 'd1', 'e1']) ask(lane, 'x');
  assert.equal(begun.length, 4);
  shares.forget('c1');
  end('b1', 'x');
  end('a1', 'x');
  assert.deepEqual(begun.slice(4), ['d1 x', 'e1 x']);
});

/** How often something is looked up meanwhile. */
function countLooks(work: () => void): number {
  const { get } = Map.prototype;
  let looks = 0;
  Map.prototype.get = function (key) {
    looks += 1;
    return get.call(this, key);
  };
  try {
    work();
  } finally {
    Map.prototype.get = get;
  }
  return looks;
}

test('given lanes that wait, when a request ends, then it costs the same for ten of them and for a thousand', () => {
  const costOf = (lanes: number, at: (lane: number) => string) => {
    const { ask, end, begun } = sending();
    for (let lane = 0; lane < lanes; lane++) ask(`a${lane}`, at(lane));
    ask('b0', 'y');
    const before = begun.length;
    return [
      countLooks(() => end('b0', 'y')),
      countLooks(() => end(...(begun[0]!.split(' ') as [string, string]))),
      begun.length - before,
    ];
  };
  for (const at of [() => 'x', (lane: number) => `x${lane}`]) {
    const ten = costOf(10, at);
    assert.equal(ten[2], 1);
    assert.deepEqual(costOf(1000, at), ten);
  }
});

test('given a lane that waits for a host, when its endpoint has moved to another one that is full, then it waits there', () => {
  const { begun, ask, end } = sending();
  for (const [lane, host] of ['a1 x', 'a2 x', 'b1 y', 'b2 y', 'c1 x', 'c2 x', 'd1 y', 'd2 y'].map((one) =>
    one.split(' '),
  ))
    ask(lane!, host!);
  const before = begun.length;
  ask('e1', 'x');
  ask('e1', 'y');
  end('a1', 'x');
  assert.deepEqual(begun.slice(before), []);
  end('b1', 'y');
  assert.deepEqual(begun.slice(before), ['e1 y']);
});

test('given a host that is full, when places are free, then companies that wait take turns there', () => {
  const { begun, ask, end } = sending();
  for (const lane of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'c3', 'd1']) ask(lane, 'x');
  end('a1', 'x');
  end('a2', 'x');
  end('b1', 'x');
  assert.deepEqual(begun.slice(4), ['c1 x', 'd1 x', 'c2 x']);
});

test('the host of an address has its port, in lower case', () => {
  assert.equal(hostOf('https://Hooks.Example.com:8443/a?b'), 'hooks.example.com:8443');
  assert.equal(hostOf('https://hooks.example.com/a'), 'hooks.example.com');
});
