import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeGroupCommit, type MemberOutcome } from './group-commit.ts';

type Member = { name: string; exclusive: readonly string[]; size: number };

const member = (name: string, exclusive: readonly string[] = [], size = 1): Member => ({
  name,
  exclusive,
  size,
});
const done = (members: readonly Member[]): MemberOutcome<string>[] =>
  members.map((m) => ({ ok: true, result: m.name }));

/** Notes its groups, and ends when the test lets it. */
function heldCommit() {
  const groups: string[][] = [];
  const gates: (() => void)[] = [];
  const commit = async (_company_id: string, members: readonly Member[]) => {
    groups.push(members.map((m) => m.name));
    await new Promise<void>((resolve) => gates.push(resolve));
    return done(members);
  };
  /** Lets every commit end, also those that begin meanwhile. */
  const openAll = async (until: Promise<unknown>) => {
    let is_over = false;
    void until.finally(() => {
      is_over = true;
    });
    while (!is_over) {
      for (const open of gates.splice(0)) open();
      await new Promise(setImmediate);
    }
  };
  return { groups, commit, openAll };
}

test('an idle queue commits one member at once, and what comes meanwhile goes together', async () => {
  const { groups, commit, openAll } = heldCommit();
  const queue = makeGroupCommit(commit);
  const all = Promise.all(['a', 'b', 'c'].map((name) => queue.submit('company', member(name))));
  assert.deepEqual(groups, [['a']]);
  await openAll(all);
  assert.deepEqual(await all, ['a', 'b', 'c']);
  assert.deepEqual(groups, [['a'], ['b', 'c']]);
  const later = queue.submit('company', member('d'));
  assert.deepEqual(groups.at(-1), ['d'], 'the queue is idle again');
  await openAll(later);
});

test('companies do not wait for one another', async () => {
  const { groups, commit, openAll } = heldCommit();
  const queue = makeGroupCommit(commit);
  const all = Promise.all([queue.submit('one', member('a')), queue.submit('two', member('b'))]);
  assert.deepEqual(groups, [['a'], ['b']]);
  await openAll(all);
});

test('members of one name are never in one group, and the first comes first', async () => {
  const { groups, commit, openAll } = heldCommit();
  const queue = makeGroupCommit(commit);
  const waiting = [
    member('x'),
    member('a', ['key 1']),
    member('b', ['key 1', 'key 2']),
    member('c', ['key 2']),
    member('d'),
  ];
  const all = Promise.all(waiting.map((m) => queue.submit('company', m)));
  await openAll(all);
  assert.deepEqual(groups, [['x'], ['a', 'c', 'd'], ['b']]);
});

test('a group holds a hundred documents, or one member that brings more', async () => {
  const { groups, commit, openAll } = heldCommit();
  const queue = makeGroupCommit(commit);
  const many = Array.from({ length: 220 }, (_, i) => member(`m${i}`));
  const all = Promise.all(
    [member('x'), member('bulk', [], 180), ...many].map((m) => queue.submit('company', m)),
  );
  await openAll(all);
  assert.deepEqual(
    groups.map((g) => g.length),
    [1, 1, 100, 100, 20],
  );
  assert.deepEqual(groups[1], ['bulk']);
});

test('one refusal does not touch the others', async () => {
  const refusal = new Error('refused');
  const queue = makeGroupCommit<Member, string>(async (_, members) =>
    members.map((m) => (m.name === 'b' ? { ok: false, error: refusal } : { ok: true, result: m.name })),
  );
  const outcomes = await Promise.allSettled(
    ['x', 'a', 'b', 'c'].map((name) => queue.submit('company', member(name))),
  );
  assert.deepEqual(
    outcomes.map((o) => o.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal((outcomes[2] as PromiseRejectedResult).reason, refusal);
});

test('a group that fails runs again one by one, and only who is at fault fails', async () => {
  const groups: string[][] = [];
  const queue = makeGroupCommit<Member, string>(async (_, members) => {
    groups.push(members.map((m) => m.name));
    if (members.some((m) => m.name === 'bad')) throw new Error('boom');
    return done(members);
  });
  const outcomes = await Promise.allSettled(
    ['x', 'a', 'bad', 'c'].map((name) => queue.submit('company', member(name))),
  );
  assert.deepEqual(
    outcomes.map((o) => o.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(groups, [['x'], ['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
});

test('a failure that each would meet, or that may have come after the commit, fails the group at once', async () => {
  let commits = 0;
  const queue = makeGroupCommit<Member, string>(
    async () => {
      commits += 1;
      throw new Error('the database is away');
    },
    (error) => /away/.test(String(error)),
  );
  const outcomes = await Promise.allSettled(
    ['x', 'a', 'b'].map((name) => queue.submit('company', member(name))),
  );
  assert.deepEqual(new Set(outcomes.map((o) => o.status)), new Set(['rejected']));
  assert.equal(commits, 2);
});

test('whatever fails and whenever members come, each is answered once, with its own outcome', async () => {
  const names = fc.array(
    fc.record({
      exclusive: fc.subarray(['k1', 'k2', 'k3']),
      size: fc.integer({ min: 1, max: 60 }),
      fate: fc.constantFrom('ok', 'refuse', 'break'),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(names, fc.array(fc.nat(3)), async (wanted, pauses) => {
      const committed: string[] = [];
      const members = wanted.map((w, i) => ({ ...member(String(i), w.exclusive, w.size), fate: w.fate }));
      const queue = makeGroupCommit<(typeof members)[number], string>(async (_, group) => {
        await new Promise(setImmediate);
        assert.equal(
          new Set(group.flatMap((m) => m.exclusive)).size,
          group.flatMap((m) => m.exclusive).length,
        );
        assert.ok(group.length === 1 || group.reduce((sum, m) => sum + m.size, 0) <= 100);
        if (group.some((m) => m.fate === 'break')) throw new Error('broken');
        return group.map((m) => {
          if (m.fate === 'refuse') return { ok: false, error: new Error('refused') };
          committed.push(m.name);
          return { ok: true, result: m.name };
        });
      });
      const answers = [];
      for (const [i, m] of members.entries()) {
        answers.push(queue.submit('company', m).catch((error: Error) => error.message));
        for (let n = 0; n < (pauses[i] ?? 0); n++) await new Promise(setImmediate);
      }
      const expected = members.map((m) =>
        m.fate === 'ok' ? m.name : m.fate === 'refuse' ? 'refused' : 'broken',
      );
      assert.deepEqual(await Promise.all(answers), expected);
      assert.equal(new Set(committed).size, committed.length);
    }),
    { numRuns: 100 },
  );
});
