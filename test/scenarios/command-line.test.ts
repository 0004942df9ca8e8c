import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { commands } from '../../src/main/commands.ts';
import { Installation, type Keys, projectRoot } from '../support/installation.ts';

/** The command must succeed and print only its result. */
async function run(place: Installation, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

/** As `run`, all in one process. */
async function runEach(place: Installation, commands: readonly (readonly string[])[]): Promise<string[]> {
  const results = await place.runAll(commands);
  return results.map(({ code, stdout, stderr }) => {
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout;
  });
}

type Refusal = readonly [args: string[], sentence: RegExp];

/** Each command must be refused with one sentence. The first runs in a process of its own. */
async function areRefused(place: Installation, refusals: readonly Refusal[], exit_code = 1): Promise<void> {
  const commands = refusals.map(([args]) => args);
  const results = [await place.run(commands[0]!), ...(await place.runAll(commands.slice(1)))];
  for (const [i, { code, stdout, stderr }] of results.entries()) {
    const [args, sentence] = refusals[i]!;
    assert.equal(code, exit_code, `folio ${args.join(' ')}: ${stdout}${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, /^folio: [^\n]+\n$/);
    assert.match(stderr, sentence, `folio ${args.join(' ')}`);
  }
}

async function createCompany(place: Installation, ...more: string[]): Promise<Keys> {
  return JSON.parse(
    await run(place, 'company', 'create', '--name', 'Acme SL', '--tax-id', 'B12345674', '--json', ...more),
  ) as Keys;
}

async function getAccount(
  place: Installation,
  key: string,
): Promise<{ status: number; version: unknown; text: string }> {
  const { statusCode, headers, body } = await request(`${place.url}/v1/account`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: statusCode, version: headers['service-version'], text: await body.text() };
}

test('given no service, when help is asked for, then every command is listed and nothing is started', async (t) => {
  const place = await Installation.make(t);
  const help = await run(place, '--help');
  for (const words of [
    'serve',
    'migrate',
    'company create',
    'company list',
    'company show',
    'company plan',
    'company boost',
    'key create',
    'key list',
    'key revoke',
    'user invite',
    'user reset',
    'user erase',
    'api',
    'listen',
    'events trigger',
  ]) {
    assert.match(help, new RegExp(`^  folio ${words}`, 'm'));
  }
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const [bare, told, again, group, ...each] = await runEach(place, [
    [],
    ['--version'],
    ['help'],
    ['company', '--help'],
    ...commands.map(({ words }) => [...words, '--help']),
  ]);
  assert.equal(bare, help);
  assert.equal(told, `folio ${version}\n`);
  assert.equal(again, help);
  assert.match(group!, /^ {2}create .*\n(.*\n)* {2}list /m);
  for (const [i, { words, options, has_json }] of commands.entries()) {
    assert.match(each[i]!, new RegExp(`^Usage: folio ${words.join(' ')} `));
    for (const [name, { fallback, choices, variable }] of Object.entries(options)) {
      const line =
        new RegExp(`^ {2}--${name}( <.*>)? [\\s\\S]*?(?=\n {2}-|\n\n)`, 'm').exec(each[i]!)?.[0] ?? '';
      const flat = line.replace(/\s+/g, ' ');
      assert.notEqual(line, '', `${words.join(' ')} --${name}`);
      if (fallback !== null) assert.ok(flat.includes(`(default: "${fallback}")`), flat);
      if (choices) assert.ok(flat.includes(`One of: ${choices.join(', ')}.`), flat);
      if (variable) assert.ok(flat.includes(`Default: ${variable}.`), flat);
    }
    assert.equal(/^ {2}--json /m.test(each[i]!), has_json, words.join(' '));
  }
  assert.equal(place.databasePid(), undefined);
});

test('given no service, when the database is migrated twice, then the second time finds nothing to do, and settings of a file are in force', async (t) => {
  const place = await Installation.make(t);
  const answers = await place.runAll([
    ['migrate', '--check', '--json'],
    ['migrate', '--check'],
    ['migrate'],
    ['migrate', '--json'],
    ['migrate', '--check'],
  ]);
  const [pending, told, first, second, last] = answers.map(({ code, stdout, stderr }, i) => {
    assert.deepEqual([code, stderr], [i < 2 ? 1 : 0, '']);
    return stdout;
  });
  const names = (JSON.parse(pending!) as { pending: { name: string }[] }).pending.map(({ name }) => name);
  assert.equal(told, names.map((name) => `${name}\n  touches no table that is there\n`).join(''));
  assert.equal(first, `Applied ${names.join(', ')}.\n`);
  assert.equal(second, '{"applied":[]}\n');
  assert.equal(last, 'The database is up to date.\n');
  assert.deepEqual(await place.run(['migrate', '--json'], { DATABASE_URI: 'postgres://u:s3cret@h/d' }), {
    code: 0,
    stdout: '{"applied":[]}\n',
    stderr:
      'folio: DATABASE_URI is no setting of Folio, so the embedded PostgreSQL is used. The address of another one belongs into DATABASE_URL.\n',
  });
  const file = join(place.data_dir, 'settings.env');
  writeFileSync(file, 'FOLIO_SECRET_KEY_FILE=/nowhere/key\n');
  assert.deepEqual(await place.run(['migrate', '--json'], { FOLIO_ENV_FILE: file }), {
    code: 1,
    stdout: '',
    stderr: 'folio: FOLIO_SECRET_KEY_FILE: /nowhere/key cannot be read (ENOENT).\n',
  });
  assert.equal(place.databasePid(), undefined, 'the database was started for the command alone');
});

/** Known before there is a database. */
const misuses: readonly Refusal[] = [
  [['nonsense'], /There is no command "nonsense"\. "folio --help" tells more\./],
  [['compny', 'list'], /There is no command "compny list"\. Did you mean company\? /],
  [
    ['company'],
    /"folio company" goes on with create, list, show, plan or boost\. "folio company --help" tells more\./,
  ],
  [['company', 'erase'], /There is no command "company erase"/],
  [['company', 'lits'], /Did you mean list\? "folio company --help" tells more\./],
  [['serve', '--role', 'both'], /--role must be one of all, api, worker\./],
  [['serve', 'now'], /Too many arguments for 'serve'/],
  [['move', '--to', 'postgres://u:p%s@h/d'], /--to cannot be read as an address: .* as %23\./],
  [['migrate', '--force'], /Unknown option '--force'\. "folio migrate --help" tells more\./],
  [['company', 'list', '--jsn'], /Unknown option '--jsn'\. Did you mean --json\? /],
  [['events', 'trigger', 'invoice.paid', 'twice'], /Too many arguments: invoice\.paid twice\./],
  [['company', 'create'], /Missing --name, --tax-id\./],
  [['company', 'create', '--name', 'Acme SL'], /Missing --tax-id\./],
  [['company', 'create', '--name'], /Option '--name <NAME>' argument missing/],
  [
    ['company', 'create', '--name', 'A', '--tax-id', 'B12345674', '--plan', 'gold'],
    /--plan must be one of free, starter, growth, scale\./,
  ],
  [
    ['company', 'create', '--name', 'A', '--tax-id', 'B12345674', '--parent', '7'],
    /--parent must be an id \(a UUID\)\./,
  ],
  [
    ['company', 'create', '--name', 'A', '--tax-id', 'B12345674', '--api-version', '2020-01-01'],
    /--api-version must be one of 2026-06-01, 2026-10-01\./,
  ],
  [['company', 'plan', '--company', 'acme', '--plan', 'free'], /--company must be an id/],
  [['company', 'plan', '--company', randomUUID(), '--plan', 'gold'], /--plan must be one of/],
  [
    ['company', 'boost', '--company', randomUUID(), '--tier', 'gold', '--until', '2099-01-01T00:00:00Z'],
    /--tier must be one of/,
  ],
  [
    ['company', 'boost', '--company', randomUUID(), '--tier', 'scale', '--until', 'tomorrow'],
    /--until must be an instant/,
  ],
  [
    ['company', 'boost', '--company', randomUUID(), '--tier', 'scale', '--until', '2020-01-01T00:00:00Z'],
    /--until must lie in the future/,
  ],
  [['key', 'create'], /Missing --company\./],
  [
    ['key', 'create', '--company', randomUUID(), '--environment', 'sandbox'],
    /--environment must be one of live, test\./,
  ],
  [['key', 'create', '--company', randomUUID(), '--name', ''], /--name must have 1 to 120 characters\./],
  [['key', 'revoke', '--company', randomUUID()], /Missing --key\./],
  [['user', 'invite', '--company', randomUUID()], /Missing --email, --role\./],
  [
    ['user', 'invite', '--company', randomUUID(), '--email', 'ana', '--role', 'owner'],
    /--email must be an e-mail address\./,
  ],
  [
    ['user', 'invite', '--company', randomUUID(), '--email', 'ana@norte.example', '--role', 'boss'],
    /--role must be one of owner, developer, accountant, reader\./,
  ],
  [['user', 'reset', '--email', ''], /--email must be an e-mail address\./],
];

test('given a command used wrongly, then one sentence says what is wrong, before anything is started', async (t) => {
  const place = await Installation.make(t);
  await areRefused(place, misuses, 2);
  assert.equal(place.databasePid(), undefined);
});

type Known = { acme: Keys; pinned: Keys; key_id: string; until: string };

/** Known from the database alone. */
function refusalsOf({ acme, pinned, key_id, until }: Known): readonly Refusal[] {
  const create = ['company', 'create', '--name', 'A', '--tax-id'];
  return [
    [
      [...create, 'b-12345674'],
      /Acme SL \(\S{36}\) has the tax id B12345674 already\. --allow-duplicate makes another company with it\./,
    ],
    [[...create, 'B12345678'], /"B12345678" is not a Spanish tax id \(NIF\)/],
    [
      ['company', 'create', '--name', ' ', '--tax-id', 'B12345674', '--allow-duplicate'],
      /The name must have 1 to 250 characters\./,
    ],
    ...['Acme\u001b[2J', 'Acme\u202eLS', 'Acme\nSL'].map(
      (name): Refusal => [
        ['company', 'create', '--name', name, '--tax-id', 'B12345674', '--allow-duplicate'],
        /The name must have 1 to 250 characters\. It has one line/,
      ],
    ),
    [
      [...create, 'B12345674', '--parent', pinned.company_id, '--allow-duplicate'],
      /A child company cannot have children of its own\./,
    ],
    [
      [...create, 'B12345674', '--parent', acme.sandbox_company_id, '--allow-duplicate'],
      /There is no live company/,
    ],
    [[...create, 'B12345674', '--parent', randomUUID(), '--allow-duplicate'], /There is no live company/],
    [['company', 'plan', '--company', randomUUID(), '--plan', 'free'], /There is no live company/],
    [
      ['company', 'boost', '--company', randomUUID(), '--tier', 'scale', '--until', until],
      /There is no live company/,
    ],
    [['key', 'create', '--company', randomUUID()], /There is no live company/],
    [['key', 'create', '--company', acme.sandbox_company_id], /There is no live company/],
    [
      ['key', 'create', '--company', acme.company_id, '--scope', 'invoices:reed'],
      /invalid_scope: invoices:reed\. There are scopes that do not exist .* docs\/scopes\.md lists all\./,
    ],
    [
      ['key', 'create', '--company', acme.company_id, '--scope', 'gateway_a:read'],
      /invalid_scope: gateway_a:read/,
    ],
    [
      ['key', 'create', '--company', acme.company_id, '--scope', 'time_entries:read'],
      /scope_not_allowed_by_plan: time_entries:read/,
    ],
    [
      ['key', 'create', '--company', acme.company_id, '--environment', 'test', '--scope', 'companies:read'],
      /scope_not_allowed_in_sandbox: companies:read/,
    ],
    [
      ['key', 'create', '--company', acme.company_id, '--name', 'Caja\u001b[2J'],
      /The key's name must have 1 to 120 characters\. It has one line/,
    ],
    ...[acme.sandbox_company_id, randomUUID()].flatMap((company): Refusal[] => [
      [['company', 'show', '--company', company], /There is no live company/],
      [['key', 'list', '--company', company], /There is no live company/],
    ]),
    [['key', 'revoke', '--company', acme.company_id, '--key', randomUUID()], /The company has no key/],
    ...[acme.sandbox_company_id, randomUUID()].map(
      (company): Refusal => [
        ['user', 'invite', '--company', company, '--email', 'ana@norte.example', '--role', 'owner'],
        /There is no live company/,
      ],
    ),
    [['user', 'reset', '--email', 'nadie@norte.example'], /Nobody has the address nadie@norte\.example\./],
    [['user', 'erase', '--email', 'nadie@norte.example'], /Nobody has the address nadie@norte\.example\./],
    [['key', 'revoke', '--company', pinned.company_id, '--key', key_id], /The company has no key/],
  ];
}

const showing = ({ company_id }: Keys): string[][] => [
  ['company', 'show', '--company', company_id, '--json'],
  ['key', 'list', '--company', company_id, '--json'],
  ['key', 'list', '--company', company_id, '--all', '--json'],
  ['key', 'list', '--company', company_id],
];

/** After the test's own changes. */
function areShown([shown, keys, all, told]: readonly string[], acme: Keys): void {
  const company = JSON.parse(shown!) as Record<string, unknown>;
  assert.deepEqual(
    [company.name, company.tax_id, company.plan, company.boost_tier, company.keys_in_force],
    ['Acme SL', 'B12345674', 'starter', 'scale', 3],
  );
  const listed = (answer: string) => JSON.parse(answer) as Record<string, unknown>[];
  assert.deepEqual(
    listed(all!).map((k) => [k.environment, k.name, k.scopes, k.is_in_force]),
    [
      ['live', 'Primera clave', ['*'], true],
      ['test', 'Primera clave de pruebas', ['*'], true],
      ['live', 'Tienda', ['account:read', 'invoices:read'], false],
      ['test', 'Clave del operador', ['*'], true],
    ],
  );
  assert.deepEqual(
    listed(keys!).map((k) => k.id),
    listed(all!).flatMap((k) => (k.is_in_force === true ? [k.id] : [])),
  );
  assert.match(told!, /^prefix +svc_live_\w{4}$/m);
  for (const stdout of [keys!, all!, told!]) assert.ok(!stdout.includes(acme.live_key));
}

test('given a running service, when companies and keys are made, changed and revoked, then the service knows at once', async (t) => {
  const place = await Installation.makeMigrated(t);
  const service = await place.start();
  const opens = async (link: string) => {
    const { statusCode, headers } = await request(link);
    return [statusCode, String(headers['content-type'])];
  };
  const setup_line = / {2}(http:\S+\/setup\/[\w-]{43})\n/;
  // The words of the start may come in parts.
  await service.says(setup_line);
  const setup = setup_line.exec(service.stdout)![1]!;
  assert.deepEqual(await opens(setup), [200, 'text/html; charset=utf-8'], service.stdout);

  const acme = await createCompany(place);
  assert.deepEqual(Object.keys(acme), ['company_id', 'sandbox_company_id', 'live_key', 'test_key']);
  assert.match(acme.live_key, /^svc_live_[0-9A-Za-z]{24}$/);
  assert.match(acme.test_key, /^svc_test_[0-9A-Za-z]{24}$/);
  assert.equal((await getAccount(place, acme.live_key)).status, 200);
  assert.equal((await getAccount(place, acme.test_key)).status, 200);

  const pinned = await createCompany(
    place,
    '--plan',
    'growth',
    '--api-version',
    '2026-06-01',
    '--parent',
    acme.company_id,
    '--allow-duplicate',
  );
  assert.equal((await getAccount(place, pinned.live_key)).version, '2026-06-01');
  const [listed, told, planned] = await runEach(place, [
    ['company', 'list', '--json'],
    ['company', 'list'],
    ['company', 'plan', '--company', acme.company_id, '--plan', 'starter'],
  ]);
  const list = JSON.parse(listed!) as Record<string, unknown>[];
  assert.deepEqual(
    list.map(({ company_id, parent_company_id, plan }) => ({ company_id, parent_company_id, plan })),
    [
      { company_id: acme.company_id, parent_company_id: null, plan: 'free' },
      { company_id: pinned.company_id, parent_company_id: acme.company_id, plan: 'growth' },
    ],
  );
  assert.match(told!, new RegExp(`^company_id +${acme.company_id}$`, 'm'));
  assert.equal(planned, 'The plan was changed.\n');
  assert.match((await getAccount(place, acme.test_key)).text, /"starter"/);
  const until = '2099-12-31T23:00:00Z';
  const scopes = ['--scope', 'account:read', '--scope', 'invoices:read', '--scope', 'invoices:read'];
  const tienda = ['--company', acme.company_id, '--name', 'Tienda', ...scopes];
  const [boosted, created] = await runEach(place, [
    ['company', 'boost', '--company', acme.company_id, '--tier', 'scale', '--until', until],
    ['key', 'create', ...tienda, '--api-version', '2026-06-01', '--json'],
  ]);
  assert.equal(boosted, 'The boost is in force.\n');
  assert.match((await getAccount(place, acme.live_key)).text, /"scale"/);
  const made = JSON.parse(created!) as { id: string; environment: string; key: string };
  assert.deepEqual(Object.keys(made), ['id', 'environment', 'key']);
  const account = await getAccount(place, made.key);
  assert.equal(account.version, '2026-06-01');
  const read = await request(`${place.url}/v1/account/api-keys/${made.id}`, {
    headers: { authorization: `Bearer ${acme.live_key}` },
  });
  const key = ((await read.body.json()) as { data: { name: string; scopes: string[] } }).data;
  assert.deepEqual([key.name, key.scopes], ['Tienda', ['account:read', 'invoices:read']]);

  const revoke = ['key', 'revoke', '--company', acme.company_id, '--key', made.id];
  assert.equal(await run(place, ...revoke), 'The key is revoked.\n');
  assert.equal((await getAccount(place, made.key)).status, 401);
  const ana = ['--company', acme.company_id, '--email', 'ana@norte.example', '--role', 'owner'];
  const [revoked, sandbox, invitation, ...shown] = await runEach(place, [
    revoke,
    ['key', 'create', '--company', acme.company_id, '--environment', 'test'],
    ['user', 'invite', ...ana],
    ...showing(acme),
  ]);
  assert.equal(revoked, 'The key is revoked.\n', 'revoking twice is no fault');
  assert.match(sandbox!, /^key +svc_test_/m);
  areShown(shown, acme);

  assert.match(invitation!, new RegExp(`^${place.url}/invitation/[\\w-]{43}\n$`));
  assert.deepEqual(await opens(invitation!.trim()), [200, 'text/html; charset=utf-8']);

  await areRefused(place, refusalsOf({ acme, pinned, key_id: made.id, until }));
});
