import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../test/harness.ts';
import { makeSecretBox } from './secrets.ts';
import { serviceSecret } from './service-secrets.ts';

const old_key = 'an old secret key, of 32 characters or more';
const new_key = 'a new secret key, with 32 characters or more';
const [old_box, new_box] = [makeSecretBox(old_key), makeSecretBox(new_key)];
const both = makeSecretBox(new_key, old_key);

test('given first starts at one instant, then all of them have the same secret', async (t) => {
  const app = await startApp(t);
  const made = await Promise.all(
    Array.from({ length: 12 }, () => serviceSecret(app.db.index, old_box, 'race')),
  );
  assert.equal(made[0]!.keys[0]!.length, 32);
  for (const secret of made) assert.deepEqual(secret, { keys: made[0]!.keys, replaces_unreadable: false });
  const other = await serviceSecret(app.db.index, old_box, 'another');
  assert.notDeepEqual(other.keys, made[0]!.keys);
});

test('given a new FOLIO_SECRET_KEY with the one before, then the secret stays, and needs the one before no more', async (t) => {
  const app = await startApp(t);
  const read = (box = old_box) => serviceSecret(app.db.index, box, 'rotated');
  const made = await read();
  // Several processes start with the new key while one still has the old.
  const during = await Promise.all([read(both), read(both), read(), read(both)]);
  for (const secret of [...during, await read(new_box), await read(old_box)]) assert.deepEqual(secret, made);
  const rows = await app.sql`select revision from service_secrets where name = 'rotated' order by revision`;
  assert.deepEqual(
    rows.map((r) => r.revision),
    [1, 2],
  );
});

test('given a FOLIO_SECRET_KEY that opens nothing, then a new secret is made, and the first returns with its key', async (t) => {
  const app = await startApp(t);
  const read = (box = old_box) => serviceSecret(app.db.index, box, 'lost');
  const { keys } = await read();
  const without = await read(new_box);
  assert.equal(without.replaces_unreadable, true);
  assert.notDeepEqual(without.keys, keys);
  assert.deepEqual(await read(new_box), { keys: without.keys, replaces_unreadable: false });
  // The first secret signs again; what was signed meanwhile stays valid.
  assert.deepEqual(await read(both), { keys: [...keys, ...without.keys], replaces_unreadable: false });
  assert.deepEqual(await read(new_box), { keys: [...without.keys, ...keys], replaces_unreadable: false });
});

test('given the role of the service, then it may add a secret, and change or remove none', async (t) => {
  const app = await startApp(t);
  await serviceSecret(app.db.index, old_box, 'kept');
  for (const statement of [
    `update service_secrets set sealed = '\\x00'`,
    'delete from service_secrets',
    'truncate service_secrets',
  ])
    await assert.rejects(app.db.index.unsafe(statement), { code: '42501' }, statement);
});
