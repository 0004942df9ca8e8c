import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../test/harness.ts';
import { startService } from './service.ts';
import { readSmtpUrl } from '../integrations/smtp/smtp-url.ts';

test('given mail settings, when the service starts, then it says where mail goes, and warns of local links', async (t) => {
  const app = await startApp(t);
  const start = async (mail: Partial<typeof app.config>) => {
    const lines: string[] = [];
    const log_stream = { write: (line: string) => void lines.push(line) };
    const config = { ...app.config, FOLIO_LOG_LEVEL: 'info', ...mail };
    await (await startService({ config, database: app.db, role: 'api', log_stream })).stop();
    const told = lines.join('');
    assert.ok(!told.includes('s3cret'));
    return [
      told.includes('e-mails are not sent'),
      told.includes('e-mails go out through mail.example.com:587'),
      told.includes('FOLIO_PUBLIC_URL is not set'),
    ];
  };
  const server = {
    FOLIO_SMTP_URL: readSmtpUrl('smtp://ana:s3cret@mail.example.com:587'),
    FOLIO_MAIL_FROM: 'facturas@example.com',
  };
  assert.deepEqual(await start({}), [true, false, false]);
  assert.deepEqual(await start(server), [false, true, true]);
  assert.deepEqual(await start({ ...server, FOLIO_PUBLIC_URL: 'https://facturas.example' }), [
    false,
    true,
    false,
  ]);
});

test('given an address that is neither https nor of this machine, when the service starts, then it warns of passwords', async (t) => {
  const app = await startApp(t);
  const cases: [settings: Partial<typeof app.config>, warns: boolean][] = [
    [{}, false],
    [{ FOLIO_PUBLIC_URL: 'http://localhost:3000' }, false],
    [{ FOLIO_PUBLIC_URL: 'http://[::1]:3000' }, false],
    [{ FOLIO_PUBLIC_URL: 'https://facturas.example' }, false],
    [{ FOLIO_PUBLIC_URL: 'http://facturas.example' }, true],
    [{ FOLIO_PUBLIC_URL: 'http://127.0.0.1.example' }, true],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '::' }, true],
  ];
  for (const [settings, warns] of cases) {
    const lines: string[] = [];
    const log_stream = { write: (line: string) => void lines.push(line) };
    const config = { ...app.config, ...settings };
    await (await startService({ config, database: app.db, role: 'api', log_stream })).stop();
    assert.equal(lines.join('').includes('over plain http'), warns, JSON.stringify(settings));
  }
});
