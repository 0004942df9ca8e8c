import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { makeSecretBox } from '../../platform/secrets.ts';
import { secretPlace } from './secret.ts';

const body = { url: 'https://hooks.example.com/folio', enabled_events: ['*'] };

/** As values were sealed before they were bound to their rows. */
function sealUnbound(key_text: string, text: string): Buffer {
  const key = createHash('sha256').update(`folio secret key\n${key_text}`).digest();
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const id = createHash('sha256').update(key).digest().subarray(0, 4);
  return Buffer.concat([Buffer.from([1]), id, iv, cipher.getAuthTag(), sealed]);
}

async function sealedOf(app: App, id: string): Promise<Buffer> {
  const [row] = await app.sql<{ sealed_secret: Buffer }[]>`
    select sealed_secret from webhook_endpoints where id = ${id}`;
  return row!.sealed_secret;
}

test('given a secret sealed before values were bound to their rows, when a day passes, then it is sealed for its row alone', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const make = async () => (await app.post('/v1/webhook_endpoints', { key: acme.live_key, body })).body.data;
  const { id, secret } = await make();
  const other = await make();
  const key = String(app.config.FOLIO_SECRET_KEY);
  const foreign = sealUnbound('a key that nobody has configured here', 'x');
  await app.sql`update webhook_endpoints set sealed_secret = ${sealUnbound(key, secret)} where id = ${id}`;
  await app.sql`update webhook_endpoints set sealed_secret = ${foreign} where id = ${other.id}`;

  app.clock.advance(26 * 3_600_000);
  await app.service.worker.runDue(acme.company_id);

  const box = makeSecretBox(key);
  const sealed = await sealedOf(app, id);
  assert.equal(sealed[0], 2);
  assert.equal(box.open(sealed, secretPlace(acme.company_id, id)), secret);
  assert.throws(() => box.open(sealed, secretPlace(acme.company_id, other.id)));
  assert.deepEqual(await sealedOf(app, other.id), foreign, 'what no key opens is kept');
});

test('given a secret before the last one that no key opens, when a day passes, then the one in force is sealed anew all the same', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const { id, secret } = (await app.post('/v1/webhook_endpoints', { key: acme.live_key, body })).body.data;
  const key = String(app.config.FOLIO_SECRET_KEY);
  const foreign = sealUnbound('a key that nobody has configured here', 'x');
  await app.sql`
    update webhook_endpoints
       set sealed_secret = ${sealUnbound(key, secret)}, previous_sealed_secret = ${foreign}, previous_secret_valid_until = now()
     where id = ${id}`;

  app.clock.advance(26 * 3_600_000);
  await app.service.worker.runDue(acme.company_id);

  assert.equal(makeSecretBox(key).open(await sealedOf(app, id), secretPlace(acme.company_id, id)), secret);
  assert.equal((await sealedOf(app, id))[0], 2);
});
