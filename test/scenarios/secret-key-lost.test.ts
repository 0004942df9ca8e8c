/** What docs/backup.md says of a secret key that is lost: what is whole, what is not, and that each step of the way back works. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commands } from '../../src/main/commands.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { resetByOperator } from '../../src/modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../src/modules/people/rules/totp.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { type App, onOwnDatabase } from '../harness.ts';
import { certificatePath, giveCertificate } from '../support/company-certificates.ts';
import { projectRoot } from '../support/installation.ts';
import { givenPerson, PersonBrowser, type TestPerson } from '../support/person-browser.ts';
import { givenIssuer, issuePublic, tokenOf } from '../support/public-invoices.ts';
import { givenEndpoint, givenProducts, loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';

const startApp = onOwnDatabase();

const page = readFileSync(join(projectRoot, 'docs/backup.md'), 'utf8');
const section = page.split(/^(?=## )/m).find((part) => part.startsWith('## The secret key is lost')) ?? '';
const lost_key = 'the key that is lost, 32 characters or more';
const new_key = 'the key after that, 32 characters or more';

/** As the receiver judges it. */
function isSignedBy(secret: string, signature: string, raw: string): boolean {
  const time = /t=(\d+)/.exec(signature)?.[1];
  return signature.includes(`v1=${createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')}`);
}

/** With the port of people, by which the page of a profile works. */
async function startWith(t: TestContext, FOLIO_SECRET_KEY: string) {
  const { env, wrap_ports } = loopbackReceivers({ FOLIO_SECRET_KEY });
  let people: Ports['people'] | undefined;
  const app = await startApp(t, {
    env,
    wrap_ports(ports) {
      people = ports.people;
      return wrap_ports(ports);
    },
  });
  return { app, people: people! };
}

async function signIn(app: App, { email, password }: Pick<TestPerson, 'email' | 'password'>) {
  const browser = new PersonBrowser(app);
  const { location } = await browser.submit('/sign-in', { email, password });
  return { browser, location: location! };
}

test('the commands and calls of the page are there', () => {
  const lines = [...section.matchAll(/^npx folio (.*)$/gm)].map(([, line = '']) => line.split(' '));
  assert.equal(lines.length, 2);
  for (const line of lines) {
    const command = commands.find(({ words }) => words.every((word, i) => word === line[i]));
    assert.ok(command, line.join(' '));
    for (const word of line.filter((one) => one.startsWith('--')))
      assert.ok(word.slice(2) in command.options, line.join(' '));
  }
  const calls = [...section.matchAll(/`(PUT|POST) (\/v1\/[^`]+)`/g)];
  assert.equal(calls.length, 2);
  for (const [, method, path = ''] of calls) {
    const plain = path.replace(/\{(\w+)\}/g, ':$1');
    assert.ok(
      catalog.some((one) => one.method === method && one.path === plain),
      path,
    );
  }
});

test('given another secret key and not the one before, then what was issued is whole, and each step of the page brings back the rest', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const { app: before, people } = await startWith(t, lost_key);
  const acme = await givenIssuer(before);
  const { live_key: key, test_key } = acme;
  assert.equal(
    (await before.put('/v1/verifactu/settings', { key: test_key, body: { enabled: true } })).status,
    200,
  );
  await giveCertificate(before, acme);
  const recorded = await issuePublic(before, test_key);
  const { id, token } = await issuePublic(before, key);
  const { id: endpoint, secret } = await givenEndpoint(before, acme, `${receiver.url}/hook`);
  const person = await givenPerson(before, acme, 'owner');
  const { secret: totp } = await people.factors.beginTotp({ id: person.user_id, email: person.email });
  const code = () => codeAt(readBase32(totp), stepAt(before.clock.now()));
  assert.notEqual(await people.factors.confirmTotp(person.user_id, code()), 'wrong');
  await before.stop();

  const { app } = await startWith(t, new_key);
  // Whole: the invoice, its record, its PDF.
  const checked = await app.post('/v1/verifactu/integrity-checks', { key: test_key, body: {} });
  assert.equal(checked.body.data.is_intact, true, checked.text);
  const pdf = await app.get(`/v1/invoices/${recorded.id}/pdf`, { key: test_key });
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');

  // Links are new ones.
  assert.equal((await app.get(`/i/${token}`)).status, 404);
  const { public_url } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.notEqual(tokenOf(public_url), token);
  assert.equal((await app.get(`/i/${tokenOf(public_url)}`)).status, 200);

  // A certificate is uploaded again.
  const status = async () => (await app.get(certificatePath, { key: test_key })).body.data.status;
  assert.equal(await status(), 'unreadable');
  await giveCertificate(app, acme);
  assert.equal(await status(), 'valid');

  // What happened before the secret was rotated arrives after it.
  const [product] = await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  assert.deepEqual(receiver.at('/hook'), [], 'nothing goes out unsigned');
  const rotated = await app.post(`/v1/webhook_endpoints/${endpoint}/rotate_secret`, { key });
  assert.equal(rotated.status, 200, rotated.text);
  assert.notEqual(rotated.body.data.secret, secret);
  app.clock.advance(3_600_000);
  await app.service.deliveries.runDue(acme.company_id);
  const [arrived] = receiver.at('/hook');
  assert.ok(arrived, 'it is tried again');
  const { data } = JSON.parse(arrived.raw);
  const signature = String(arrived.headers['service-signature']);
  assert.ok(isSignedBy(rotated.body.data.secret, signature, arrived.raw), signature);
  assert.equal(data.product.id, product);

  // A person sets up the second factor again.
  const locked = await signIn(app, person);
  assert.equal(locked.location, '/sign-in/second-factor');
  assert.ok((await locked.browser.submit(locked.location, { code: code() })).status >= 400);
  const link = await resetByOperator(app.db, person.email, app.clock.now(), { drops_factors: true });
  const password = `${person.password}-anew`;
  const chosen = await new PersonBrowser(app).submit(`/reset/${link}`, { password });
  assert.equal(chosen.status, 303, chosen.text);
  assert.equal((await signIn(app, { email: person.email, password })).location, '/dashboard');
});
