/** nginx and Caddy with the blocks of docs/proxy.md before the service: TLS, HTTP/2, who calls, the largest upload, the log. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { keepAliveMs } from '../../src/kernel/keep-alive.ts';
import { type App, onOwnDatabase } from '../harness.ts';
import { newKey } from '../support/api-keys.ts';
import { findFreePort } from '../support/free-port.ts';
import { projectRoot } from '../support/installation.ts';
import { serverCertificate } from '../support/server-certificate.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { makeEnterableFolder } from '../support/test-database.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

const page = readFileSync(join(projectRoot, 'docs/proxy.md'), 'utf8');
const { private_key, certificate, ca } = serverCertificate();
const caller = '127.0.0.7';
const largest = 20 * 1024 * 1024;

/** The block of the page, with the places of this test. Each of them has to be in it. */
function blockOf(language: string, places: Readonly<Record<string, string>>): string {
  let block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
  for (const [of_page, here] of Object.entries(places)) {
    assert.ok(block.includes(of_page), `${language}: ${of_page}`);
    block = block.replaceAll(of_page, here);
  }
  return block;
}

type Place = { folder: string; port: number; app: App };

const files = (folder: string) => ({
  '/etc/ssl/folio/fullchain.pem': join(folder, 'fullchain.pem'),
  '/etc/ssl/folio/key.pem': join(folder, 'key.pem'),
});

function startNginx({ folder, port, app }: Place): ServiceProcess {
  const block = blockOf('nginx', {
    ...files(folder),
    'listen 443 ': `listen 127.0.0.1:${port} `,
    '127.0.0.1:3000': new URL(app.url).host,
    '/var/log/nginx/folio.log': join(folder, 'access.log'),
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;\npid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\naccess_log ${join(folder, 'access.log')};\n${temporary}\n${block}}\n`,
  );
  return new ServiceProcess('nginx', ['-c', file, '-e', 'stderr', '-p', folder], {
    env: process.env,
    leads_group: true,
  });
}

function startCaddy({ folder, port, app }: Place): ServiceProcess {
  const block = blockOf('caddy', {
    ...files(folder),
    'invoices.example.com': `https://localhost:${port}`,
    '127.0.0.1:3000': new URL(app.url).host,
  });
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n${block}`,
  );
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return new ServiceProcess('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env,
    leads_group: true,
  });
}

/** Over HTTP/2, from an address of this machine. */
async function call(
  port: number,
  path: string,
  {
    key,
    from = caller,
    body,
    headers = {},
  }: { key?: string; from?: string; body?: string; headers?: object },
): Promise<{ status: number; text: string; transport: unknown }> {
  const origin = `https://localhost:${port}`;
  const own = { host: '127.0.0.1', port, localAddress: from };
  const tls: ConnectionOptions = { ...own, ca, servername: 'localhost', ALPNProtocols: ['h2'] };
  const session = connect(origin, {
    createConnection: () => connectTls(tls),
  });
  try {
    const stream = session.request({
      ':path': path,
      ':method': body === undefined ? 'GET' : 'POST',
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    });
    stream.setEncoding('utf8');
    let text = '';
    stream.on('data', (piece: string) => {
      text += piece;
    });
    const answered = once(stream, 'response') as Promise<[Record<string, string | number>]>;
    const closed = once(stream, 'close');
    stream.end(body);
    const [[answer]] = await Promise.all([answered, closed]);
    return { status: Number(answer[':status']), text, transport: answer['strict-transport-security'] };
  } finally {
    session.close();
  }
}

/** A scan whose body has exactly so many bytes. */
function uploadOf(bytes: number): string {
  const head = '{"file_name":"factura.pdf","content_base64":"';
  const tail = '"}';
  const pdf = Buffer.alloc(Math.floor((bytes - head.length - tail.length) / 4) * 3, ' ');
  pdf.write('%PDF-1.7\n');
  return `${head}${pdf.toString('base64')}${tail}`
    .replace(/\}$/, '')
    .padEnd(bytes - 1, ' ')
    .concat('}');
}

async function untilItListens(proxy: ServiceProcess, port: number): Promise<void> {
  for (let i = 0; i < 500; i++) {
    assert.ok(!proxy.has_ended, proxy.stderr);
    const socket = connectTls({ host: '127.0.0.1', port, ca, servername: 'localhost' });
    const is_there = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (is_there) return;
    await sleep(20);
  }
  assert.fail(proxy.stderr);
}

async function holds(t: TestContext, app: App, start: (place: Place) => ServiceProcess): Promise<void> {
  const folder = makeEnterableFolder('folio-proxy-');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'fullchain.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), private_key);
  const port = await findFreePort();
  const proxy = start({ folder, port, app });
  t.after(() => proxy.kill());
  await untilItListens(proxy, port);
  const company = await app.given.company();
  const { secret: key } = await newKey(app, company.live_key, {
    scopes: ['account:read', 'purchase_invoices:write'],
    allowed_ips: [caller],
  });

  const account = await call(port, '/v1/account', { key });
  assert.equal(account.status, 200, account.text);
  assert.equal(account.transport, 'max-age=31536000');
  const forged = { key, from: '127.0.0.8', headers: { 'x-forwarded-for': caller } };
  const other = await call(port, '/v1/account', forged);
  assert.equal(other.status, 401, 'what a caller wrote about itself does not count');

  const body = uploadOf(largest);
  assert.equal(Buffer.byteLength(body), largest);
  const uploaded = await call(port, '/v1/purchase_scans', { key, body });
  assert.equal(uploaded.status, 201, uploaded.text);
  assert.equal((await call(port, '/metrics', {})).status, 404);
  assert.equal((await call(port, '/readyz', {})).status, 200);

  const secret = 'opens-without-a-key';
  const headers = { referer: `https://localhost/i/${secret}` };
  assert.equal((await call(port, `/i/${secret}?name=${secret}`, { headers })).status, 404);
  const file = join(folder, 'access.log');
  const accessed = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  // The two answers of 404; Caddy keeps no such log by itself.
  if (existsSync(file)) await until(() => accessed().split(' 404 ').length > 2);
  const written = `${proxy.stdout}${proxy.stderr}${accessed()}`;
  assert.ok(!written.includes(secret), written);
}

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  const is_here = spawnSync(name, ['version'], { stdio: 'ignore' }).error === undefined;
  test(`given ${name} with the block of the page, then callers have TLS, HTTP/2, their own address and uploads of 20 MiB, and no secret in its log`, {
    skip: is_here ? false : `${name} is not installed here`,
  }, async (t) => {
    const app = await startApp(t, { env: { FOLIO_TRUSTED_PROXIES: '127.0.0.1' } });
    await holds(t, app, start);
  });
}

test('given the blocks of the page, then a proxy lets go of a connection before the service does', () => {
  const kept = [...page.matchAll(/keepalive(?:_timeout)? (\d+)s/g)].map(([, seconds]) => Number(seconds));
  assert.equal(kept.length, 2);
  for (const seconds of kept) assert.ok(seconds * 1000 < keepAliveMs);
});
