/** Each magic value of the sandbox (docs/sandbox-magic-values.md) through the public API. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { magicValues, unknown_taxpayer_nif } from 'aeat-simulator';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { magicLine } from '../support/magic-totals.ts';
import { portsTo, startTestAuthority } from '../support/sandbox-authority.ts';

/** At once and after an hour of the company's time. */
type Seen = [status: string, error_code: string | null, has_csv: boolean];
const accepted: Seen = ['accepted', null, true];
const without_csv: Seen = ['accepted', null, false];
const unanswered: Seen = ['sending', null, false];
const rejected: Seen = ['rejected', '1100', false];
const kept_back: Seen = ['pending', 'SCHEMA_INVALID', false];

const expected: Record<string, [at_once: Seen, in_an_hour: Seen]> = {
  accepted: [accepted, accepted],
  accepted_with_errors: [
    ['accepted_with_errors', '2001', true],
    ['accepted_with_errors', '2001', true],
  ],
  rejected: [rejected, rejected],
  rejected_always: [rejected, rejected],
  duplicate: [without_csv, without_csv],
  duplicate_with_errors: [
    ['accepted_with_errors', '2001', false],
    ['accepted_with_errors', '2001', false],
  ],
  soap_fault_client: [kept_back, kept_back],
  soap_fault_server: [unanswered, accepted],
  unavailable: [unanswered, accepted],
  timeout_before_storing: [unanswered, accepted],
  timeout_after_storing: [unanswered, without_csv],
  half_answer: [unanswered, without_csv],
  malformed_answer: [unanswered, without_csv],
  slow_answer: [accepted, accepted],
  long_wait: [accepted, accepted],
};

async function startPlace(t: TestContext): Promise<App> {
  let app: App | undefined;
  // Its silence lasts shorter than for users.
  const authority = await startTestAuthority(t, { hold_milliseconds: 200, now: () => app!.clock.now() });
  app = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection) });
  return app;
}

async function turnOn(app: App, company: TestCompany): Promise<void> {
  const on = await app.put('/v1/verifactu/settings', { key: company.test_key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
}

async function ask(app: App, company: TestCompany, fields: object): Promise<string> {
  const body = { ...fields, options: { issue: true } };
  const res = await app.post('/v1/invoices', { key: company.test_key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data.id;
}

async function moveClock(app: App, { test_key: key }: TestCompany, ms: number): Promise<void> {
  const now = ms === 0 ? null : new Date(app.clock.now().getTime() + ms).toISOString();
  const res = await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
  assert.equal(res.status, 200, res.text);
}

async function see(app: App, { test_key: key }: TestCompany, id: string): Promise<Seen> {
  const { verifactu } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  return [verifactu.status, verifactu.error_code, verifactu.csv !== null];
}

test('given each magic value, by recipient and by total, when the sender has run, then the invoice tells its outcome', async (t) => {
  const app = await startPlace(t);
  assert.deepEqual(magicValues.map(({ outcome }) => outcome).sort(), Object.keys(expected).sort());
  const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
  const asked = await Promise.all(
    magicValues.flatMap((value) =>
      ['recipient', 'total'].map(async (way) => {
        const company = await app.given.company();
        const key = company.test_key;
        await turnOn(app, company);
        const id =
          way === 'total'
            ? await ask(app, company, {
                type: 'F2',
                lines: [{ description: 'Consultoría', ...magicLine(Number(value.total) / 100) }],
              })
            : await ask(app, company, {
                client_id: (
                  await app.post('/v1/clients', {
                    key,
                    body: { name: 'Norte SL', tax_id: value.recipient_nif },
                  })
                ).body.data.id,
                lines: [line],
              });
        return { about: `${value.outcome} by ${way}`, outcome: value.outcome, company, id };
      }),
    ),
  );
  await Promise.all(
    asked.map(async ({ about, outcome, company, id }) => {
      const [at_once, in_an_hour] = expected[outcome]!;
      await moveClock(app, company, 0);
      assert.deepEqual(await see(app, company, id), at_once, about);
      await moveClock(app, company, 3_600_000);
      assert.deepEqual(await see(app, company, id), in_an_hour, `${about}, in an hour`);
    }),
  );
});

test('given a company whose own tax id the authority does not know, when it sends, then all of it is held back', async (t) => {
  const app = await startPlace(t);
  const company = await app.given.company({ tax_id: unknown_taxpayer_nif });
  await turnOn(app, company);
  const line = { description: 'Café', unit_price: 1, tax_rate: 10 };
  const id = await ask(app, company, { type: 'F2', lines: [line] });
  for (const hours of [0, 1, 24]) {
    await moveClock(app, company, hours * 3_600_000);
    const [status, , has_csv] = await see(app, company, id);
    assert.deepEqual([status, has_csv], ['pending', false]);
    const config = await app.get('/v1/verifactu/config', { key: company.test_key });
    assert.equal(config.body.data.block_reason, 'aeat_4107');
  }
});
