/**
 * The receivers of docs/webhooks.md, in each language installed here, get deliveries signed by the service. The page's
 * statements are checked too.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Event, receive } from '../../docs/receivers/verify.ts';
import { retryDelaysMs } from '../../src/modules/webhooks/rules/schedule.ts';
import { deliveryHeaders } from '../../src/modules/webhooks/rules/sign.ts';
import { newWebhookSecret } from '../../src/modules/webhooks/secret.ts';
import { projectRoot } from '../support/installation.ts';

const docs = join(projectRoot, 'docs');
const now = 1_795_257_600;
const [secret, next, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
const body = JSON.stringify({
  id: '01a1fc42-8784-75a1-97a9-570907257d89',
  object: 'event',
  type: 'client.created',
  // Text beyond ASCII and the first plane: the signature covers bytes, not characters.
  data: { client: { id: '01a1fc42-85f0-7d0e-b1a4-3c2f0e6a7b55' }, note: 'Librería Ñandú 🧾' },
});

/** Sent at this moment, unless another is given. */
function headersOf(given: { body?: string; sent_at?: Date; secrets?: readonly string[] } = {}) {
  return deliveryHeaders({
    delivery_id: '01a1fc42-9b10-7c6e-8a53-2f7d5b0c9e11',
    event_id: '01a1fc42-8784-75a1-97a9-570907257d89',
    event_type: 'client.created',
    body,
    sent_at: new Date(),
    secrets: [secret],
    ...given,
  });
}

/** Made `ago` seconds before now. */
const signed = (secrets: readonly string[] = [secret], ago = 0) =>
  headersOf({ secrets, sent_at: new Date((now - ago) * 1000) })['Service-Signature']!;

const fresh = signed();
const [stamp = '', signature = ''] = fresh.split(',');

type Case = { name: string; header: string | null; body?: string; status: 204 | 400 };
const good: readonly Omit<Case, 'status'>[] = [
  { name: 'fresh', header: fresh },
  { name: 'rotated, ours is the previous one', header: signed([next, secret]) },
  { name: 'rotated, ours is the new one', header: signed([secret, other]) },
  { name: 'with spaces', header: `${stamp}, ${signature}` },
  { name: 'with a scheme of tomorrow', header: `${fresh},v2=00` },
  { name: 'as old as may be', header: signed([secret], 300) },
  { name: 'as early as may be', header: signed([secret], -300) },
];
const bad: readonly Omit<Case, 'status'>[] = [
  { name: 'tampered body', header: fresh, body: body.replace('client.created', 'client.deleted') },
  { name: 'body with one space more', header: fresh, body: `${body} ` },
  { name: 'empty body', header: fresh, body: '' },
  { name: 'too old', header: signed([secret], 301) },
  { name: 'from the future', header: signed([secret], -301) },
  { name: 'a stamp put right afterwards', header: signed([secret], 900).replace(/t=\d+/, stamp) },
  { name: 'wrong secret', header: signed([other]) },
  { name: 'two wrong secrets', header: signed([other, next]) },
  { name: 'no header', header: null },
  { name: 'empty header', header: '' },
  { name: 'no stamp', header: signature },
  { name: 'no signature', header: stamp },
  { name: 'a stamp that is no number', header: `t=soon,${signature}` },
  { name: 'a stamp with a sign', header: `t=+${now},${signature}` },
  { name: 'a stamp with a fraction', header: `t=${now}.0,${signature}` },
  { name: 'half a signature', header: fresh.slice(0, -32) },
  { name: 'a signature that is no hex', header: `${stamp},v1=${'zz'.repeat(32)}` },
  { name: 'a signature beyond ASCII', header: `${stamp},v1=${'ñ'.repeat(64)}` },
  { name: 'another scheme alone', header: `${stamp},v0=${signature.slice(3)}` },
];
const cases: readonly Case[] = [
  ...good.map((c): Case => ({ ...c, status: 204 })),
  ...bad.map((c): Case => ({ ...c, status: 400 })),
];

/** Each case goes twice to a fresh inbox. */
type Outcome = { name: string; status: number; first: boolean; again: boolean };
const expected: Outcome[] = cases.map(({ name, status }) => ({
  name,
  status,
  first: status === 204,
  again: false,
}));

test('the TypeScript receiver takes what is ours, once, and refuses all else', async () => {
  const outcomes: Outcome[] = [];
  for (const { name, header, body: sent = body } of cases) {
    const kept = new Set<string>();
    const inbox = { put: ({ id }: Event) => kept.size < kept.add(id).size };
    const take = () => receive(Buffer.from(sent), header ?? undefined, secret, inbox, now);
    const { status, isNew } = await take();
    outcomes.push({ name, status, first: isNew, again: (await take()).isNew });
  }
  assert.deepEqual(outcomes, expected);
});

test('the TypeScript receiver goes by the clock when it is given no time', async () => {
  const header = headersOf()['Service-Signature'];
  const answer = await receive(Buffer.from(body), header, secret, { put: () => true });
  assert.deepEqual(answer, { status: 204, isNew: true });
});

/** They pass the cases from standard input to the receiver and print its verdicts. */
const python = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("verify", sys.argv[1])
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)
given = json.load(sys.stdin.buffer)
outcomes = []
for case in given["cases"]:
    kept = set()
    def put(event):
        known = event["id"] in kept
        kept.add(event["id"])
        return not known
    take = lambda: verify.receive(case["body"].encode(), case["header"], given["secret"], put, given["now"])
    status, first = take()
    outcomes.append({"name": case["name"], "status": status, "first": first, "again": take()[1]})
print(json.dumps(outcomes))
`;

const php = `
require $argv[1];
$given = json_decode(file_get_contents('php://stdin'), true);
$outcomes = [];
foreach ($given['cases'] as $case) {
    $kept = [];
    $put = function (array $event) use (&$kept): bool {
        $known = isset($kept[$event['id']]);
        $kept[$event['id']] = true;
        return !$known;
    };
    $take = fn () => receive($case['body'], $case['header'], $given['secret'], $put, $given['now']);
    [$status, $first] = $take();
    $outcomes[] = ['name' => $case['name'], 'status' => $status, 'first' => $first, 'again' => $take()[1]];
}
echo json_encode($outcomes);
`;

const ofPhp = {
  language: 'PHP',
  command: 'php',
  file: 'verify.php',
  args: (file: string) => ['-r', php, '--', file],
};
const languages = [
  { language: 'Python', command: 'python3', file: 'verify.py', args: (file: string) => ['-c', python, file] },
  ofPhp,
];

/** Why a test is skipped, and says so. */
const lacking = (command: string) =>
  spawnSync(command, ['--version']).status === 0 ? false : `${command} is not installed here`;

for (const { language, command, file, args } of languages) {
  const skip = lacking(command);
  test(`the ${language} receiver takes what is ours, once, and refuses all else`, { skip }, () => {
    const input = JSON.stringify({ secret, now, cases: cases.map((c) => ({ body, ...c })) });
    const run = spawnSync(command, args(join(docs, 'receivers', file)), { input, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(JSON.parse(run.stdout), expected);
  });
}

const page = readFileSync(join(docs, 'webhooks.md'), 'utf8').replaceAll('\r\n', '\n');

test('the page shows the receivers as they are tested', () => {
  const blocks = [...page.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)];
  assert.deepEqual(
    blocks.map(([, file]) => file),
    ['receivers/verify.ts', 'receivers/verify.py', 'receivers/verify.php'],
  );
  for (const [, file = '', code] of blocks)
    assert.equal(code, readFileSync(join(docs, file), 'utf8').replaceAll('\r\n', '\n'), file);
});

/** A block of the page that no file has. */
function shownBlock(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';
}

test('given an inbox that fails and a sender that breaks off, when the server of the page receives, then it answers 500 and goes on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-receiver-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const verify = pathToFileURL(join(docs, 'receivers/verify.ts')).href;
  const before = `import { receive } from '${verify}';
    const process = { env: { WEBHOOK_SECRET: '${secret}' } };
    const console = { error() {} };
    const inbox = { put() { throw new Error('The database is down.'); } };
    export const server = `;
  const [imports = '', program = ''] = shownBlock('ts').split(/\n(?=createServer)/);
  const file = join(folder, 'server.ts');
  writeFileSync(file, imports + before + program.replace('.listen(4000)', ".listen(0, '127.0.0.1')"));
  const { server } = await import(pathToFileURL(file).href);
  t.after(() => server.close());
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, 'request');
  const broken = connect(port, '127.0.0.1');
  broken.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
  const [request] = await arrived;
  const closed = new Promise((resolve) => request.once('close', resolve));
  broken.destroy();
  await closed;
  const send = async (header: string) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'Service-Signature': header, connection: 'close' },
      body,
    });
    return status;
  };
  assert.deepEqual([await send(headersOf()['Service-Signature']!), await send(fresh)], [500, 400]);
});

test('given an inbox that fails, when the script of the page receives, then PHP answers 500', {
  skip: lacking(ofPhp.command),
}, () => {
  const script = shownBlock('php').replace("require 'verify.php';", () => '');
  const file = join(docs, 'receivers/verify.php');
  const around = `require $argv[1];
    $put = fn(array $event) => throw new RuntimeException('The database is down.');
    register_shutdown_function(fn() => fwrite(STDERR, (string) http_response_code()));
    ${script}`;
  // What its command line reads of php://input is empty, and no event.
  const empty = headersOf({ body: '' })['Service-Signature']!;
  const statusOf = (header: string) =>
    spawnSync(ofPhp.command, ['-d', 'display_errors=1', '-d', 'log_errors=0', '-r', around, '--', file], {
      encoding: 'utf8',
      env: { ...process.env, WEBHOOK_SECRET: secret, HTTP_SERVICE_SIGNATURE: header },
    }).stderr;
  assert.deepEqual([statusOf(empty), statusOf(fresh)], ['500', '400']);
});

test('the page tells the attempts as the service makes them', () => {
  const units: [string, number][] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  const inWords = (ms: number) => {
    const [unit, length] = units.find(([, size]) => ms % size === 0)!;
    return `${ms / length} ${unit}${ms === length ? '' : 's'}`;
  };
  const rows = [...page.matchAll(/^\| (\d) \| (.+) \|$/gm)].map(([, attempt, delay]) => [attempt, delay]);
  assert.deepEqual(
    rows,
    ['immediate', ...retryDelaysMs.map(inWords)].map((delay, i) => [String(i + 1), delay]),
  );
});

test('the page shows all headers of a delivery, and no other', () => {
  const request = /```http\n(.*?)\n\n/s.exec(page)?.[1] ?? '';
  const shown = request.split('\n').slice(1);
  const sent = Object.keys(headersOf()).filter((name) => name !== 'User-Agent');
  assert.deepEqual(
    shown.map((line) => line.split(':')[0]),
    sent,
  );
});
