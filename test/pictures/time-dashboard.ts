/** `npm run time:dashboard`: how long a list of 100 invoices takes from its answer to its paint, on a processor slowed fourfold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { visit } from '../support/browser.ts';
import { launchBrowser, noBrowser } from '../support/launch-browser.ts';
import { enter, givenPerson } from '../support/person-browser.ts';

const rounds = 5;

/** From the last byte of the list's answer to the frame after its rows. */
const measure = `new Promise((done) => {
  const answered = () => performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/v1/invoices?'))?.responseEnd;
  const look = () => {
    if (document.querySelectorAll('[data-row]').length < 100) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - answered()), 0));
  };
  look();
})`;

test('times', async (t) => {
  // As fast as a person's: the one that tests share compiles less.
  const launched = await launchBrowser();
  if (!launched) return t.skip(noBrowser);
  t.after(launched.close);
  const { browser } = launched;
  const app = await startApp(t);
  const acme = await app.given.company();
  const lines = [{ description: 'Libros', quantity: 1, unit_price: 100, tax_rate: 21 }];
  const invoices = Array.from({ length: 100 }, () => ({ type: 'F2', lines }));
  const made = await app.post('/v1/invoices/bulk-create', { key: acme.test_key, body: { invoices } });
  assert.equal(made.body.data.successful, 100, made.text);
  const person = await givenPerson(app, acme, 'owner');
  const { page } = await visit(browser, app.url, { width: 1280 });
  await enter(page, app.url, person.browser);
  // The page asks for fewer.
  await page.route('**/v1/invoices?**', (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, 'limit=100'),
    }),
  );
  const home = `${app.url}/dashboard/${acme.sandbox_company_id}`;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.goto(`${home}/me`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`history.pushState({}, '', '/dashboard/${acme.sandbox_company_id}/invoices')`);
    times.push(Math.round((await page.evaluate(measure)) as number));
  }
  console.log(`100 invoices, milliseconds from answer to paint: ${times.join(' ')}`);
});
