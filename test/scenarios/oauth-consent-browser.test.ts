/** Consent in a real browser: by keyboard alone, without script, on a telephone, and the way back to an application on this computer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { consentWords } from '../../src/surfaces/oauth/consent-words.ts';
import { startApp } from '../harness.ts';
import { judgePage, openBrowser, ownComplaints, visit } from '../support/browser.ts';
import { authorizeQuery, givenClient, givenPerson, newVerifier, sendToken } from '../support/oauth.ts';

/** An application that listens on this computer. @returns its address, and what came to it */
async function startApplication(t: TestContext) {
  const came: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/cb') came.push(url.searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb`, came };
}

for (const [language, has_script] of [
  ['es', true],
  ['en', true],
  ['es', false],
] as const) {
  const how = has_script ? 'by keyboard alone' : 'without script';
  test(`given consent in ${language}, when it is answered ${how}, then the application has a code for what was ticked, or is told no`, async (t) => {
    const browser = await openBrowser(t);
    if (!browser) return;
    const [app, application] = [await startApp(t), await startApplication(t)];
    const acme = await app.given.company();
    // Registered with another port: any port of this computer is the same application.
    const registered = await givenClient(app, acme, 'public', 'http://127.0.0.1/cb');
    const client = { ...registered, redirect_uri: application.address };
    const person = await givenPerson(app, acme);
    await app.sql`update users set language = ${language} where id = ${person.user_id}`;
    const words = consentWords[language];
    const seen = await visit(browser, app.url, { width: 320, language, has_script });
    const [name, value] = person.cookie.split('=');
    await seen.page.context().addCookies([{ name: name!, value: value!, url: app.url }]);
    const faults: string[] = [];

    const answer = async (button: string) => {
      const { code_verifier, code_challenge } = newVerifier();
      const scope = 'invoices.read invoices.write invoices.void';
      await seen.page.goto(`${app.url}/oauth/authorize?${authorizeQuery(client, code_challenge, { scope })}`);
      if (has_script) await judgePage(seen.page, `${language}-consent`, faults);
      assert.equal(await seen.page.locator('input[name="scope"]:checked').count(), 2);
      const chosen = seen.page.getByRole('button', { name: button });
      if (has_script) {
        // Everything is reached from the keyboard, in the order of the page.
        for (let steps = 0; steps < 60; steps++) {
          await seen.page.keyboard.press('Tab');
          if (await chosen.evaluate((node) => node === node.ownerDocument.activeElement)) break;
        }
        await Promise.all([
          seen.page.waitForURL(`${application.address}*`),
          seen.page.keyboard.press('Enter'),
        ]);
      } else await Promise.all([seen.page.waitForURL(`${application.address}*`), chosen.click()]);
      return { code_verifier, told: application.came.at(-1)! };
    };

    const denied = await answer(words.deny);
    assert.deepEqual(
      [denied.told.get('error'), denied.told.get('state'), denied.told.get('iss')],
      ['access_denied', 'st', app.url],
    );
    const allowed = await answer(words.allow);
    assert.equal(application.came.length, 2);
    const tokens = await sendToken(app, {
      grant_type: 'authorization_code',
      code: allowed.told.get('code') ?? '',
      redirect_uri: client.redirect_uri,
      code_verifier: allowed.code_verifier,
      client_id: client.client_id,
    });
    assert.equal(tokens.status, 200, tokens.text);
    app.given.secrets.push(tokens.body.access_token, tokens.body.refresh_token);
    assert.equal(tokens.body.scope, 'invoices.read invoices.write');
    faults.push(...ownComplaints(seen.complaints));
    await seen.close();
    assert.deepEqual(faults, []);
  });
}
