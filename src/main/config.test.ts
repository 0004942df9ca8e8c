import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import {
  type Config,
  ConfigError,
  readCommandVariable,
  readConfig,
  secretNames,
  settings,
} from './config.ts';
import { loadSettingsFile, misnamedDatabase } from './environment.ts';
import { secretKey } from './secret-key.ts';

const secret = 'thirty-two characters of a secret';

const accepted: readonly [Record<string, string>, Partial<Config>][] = [
  [
    {},
    {
      PORT: 3000,
      HOST: '127.0.0.1',
      FOLIO_DATA_DIR: '.data',
      FOLIO_LOG_LEVEL: 'info',
      DATABASE_URL: null,
      FOLIO_SECRET_KEY: null,
    },
  ],
  [{ PORT: '' }, { PORT: 3000 }],
  [{ FOLIO_API_KEY: 'svc_test_x', FOLIO_URL: 'http://h' }, { PORT: 3000 }],
  [{ PORT: '0' }, { PORT: 0 }],
  [{ PORT: '65535' }, { PORT: 65_535 }],
  [{ HOST: '::' }, { HOST: '::' }],
  [
    { HOST: '[::1]', FOLIO_METRICS_PORT: '9464', FOLIO_METRICS_HOST: '[::]' },
    { HOST: '::1', FOLIO_METRICS_PORT: 9464, FOLIO_METRICS_HOST: '::' },
  ],
  [{ FOLIO_DATA_DIR: '/srv/folio' }, { FOLIO_DATA_DIR: '/srv/folio' }],
  [{ DATABASE_URL: 'postgres://u@h/d', FOLIO_SECRET_KEY: secret }, { DATABASE_URL: 'postgres://u@h/d' }],
  [{ DATABASE_URL: 'postgresql://u@h/d', FOLIO_SECRET_KEY: secret }, { DATABASE_URL: 'postgresql://u@h/d' }],
  ...[
    'postgres://u:p%23%25%2F@h/d',
    'postgres://u:p@ss@h/d',
    'postgres://u@%2Frun%2Fpg/d',
    'postgres://h/100%',
  ].map((DATABASE_URL): [Record<string, string>, Partial<Config>] => [
    { DATABASE_URL, FOLIO_SECRET_KEY: secret },
    { DATABASE_URL },
  ]),
  [
    { DATABASE_URL: 'postgres://u@p/d', DATABASE_DIRECT_URL: 'postgres://u@h/d', FOLIO_SECRET_KEY: secret },
    { DATABASE_DIRECT_URL: 'postgres://u@h/d' },
  ],
  [
    {
      DATABASE_URL: 'postgres://u@h/d',
      DATABASE_MIGRATION_URL: 'postgres://o@h/d',
      FOLIO_SECRET_KEY: secret,
    },
    { DATABASE_MIGRATION_URL: 'postgres://o@h/d' },
  ],
  [{ FOLIO_BLOB_URL: '' }, { FOLIO_BLOB_URL: null }],
  [{ FOLIO_BLOB_URL: 'file:///srv/blobs' }, { FOLIO_BLOB_URL: { kind: 'folder', folder: '/srv/blobs' } }],
  [{ FOLIO_PUBLIC_URL: 'https://api.example.com' }, { FOLIO_PUBLIC_URL: 'https://api.example.com' }],
  [
    { FOLIO_PUBLIC_URL: 'https://example.com:8443/casa//' },
    { FOLIO_PUBLIC_URL: 'https://example.com:8443/casa' },
  ],
  [{ FOLIO_SECRET_KEY: 'k'.repeat(32) }, { FOLIO_SECRET_KEY: 'k'.repeat(32) }],
  [
    { FOLIO_SECRET_KEY: secret, FOLIO_SECRET_KEY_PREVIOUS: 'p'.repeat(32) },
    { FOLIO_SECRET_KEY_PREVIOUS: 'p'.repeat(32) },
  ],
  [{ FOLIO_RATE_LIMITS: 'off' }, { FOLIO_RATE_LIMITS: null }],
  [
    {},
    { FOLIO_RATE_LIMITS: { free: [60, 60], starter: [300, 120], growth: [1200, 600], scale: [6000, 3000] } },
  ],
  [
    { FOLIO_RATE_LIMITS: '{"scale":[1000000,1000000]}' },
    {
      FOLIO_RATE_LIMITS: {
        free: [60, 60],
        starter: [300, 120],
        growth: [1200, 600],
        scale: [1_000_000, 1_000_000],
      },
    },
  ],
  [{ FOLIO_TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,' }, { FOLIO_TRUSTED_PROXIES: ['10.0.0.0/8', '::1'] }],
  [{ FOLIO_POOL_SIZE: '2' }, { FOLIO_POOL_SIZE: 2 }],
  [{}, { FOLIO_METRICS_PORT: null }],
  [{ FOLIO_METRICS_PORT: '9464' }, { FOLIO_METRICS_PORT: 9464 }],
  [{ FOLIO_METRICS_PORT: '0', PORT: '0' }, { FOLIO_METRICS_PORT: 0 }],
  [{ FOLIO_METRICS_PORT: '3000', FOLIO_METRICS_HOST: '10.0.0.1' }, { FOLIO_METRICS_PORT: 3000 }],
  [{}, { FOLIO_DOCS_PORT: null, FOLIO_DOCS_URL: null }],
  [
    { FOLIO_DOCS_PORT: '9465', FOLIO_DOCS_URL: 'https://docs.example.com/folio/' },
    { FOLIO_DOCS_PORT: 9465, FOLIO_DOCS_HOST: null, FOLIO_DOCS_URL: 'https://docs.example.com/folio' },
  ],
  [
    { FOLIO_SMTP_URL: 'smtps://mail.example.com', FOLIO_MAIL_FROM: 'facturas@example.com' },
    { FOLIO_MAIL_FROM: 'facturas@example.com' },
  ],
  [
    { FOLIO_PRODUCER_NAME: 'Casa SL', FOLIO_PRODUCER_TAX_ID: 'b-12345674' },
    { FOLIO_PRODUCER_NAME: 'Casa SL', FOLIO_PRODUCER_TAX_ID: 'B12345674' },
  ],
  [
    { FOLIO_PRODUCER_NAME: '\u{1F600}'.repeat(120), FOLIO_PRODUCER_TAX_ID: 'B12345674' },
    { FOLIO_PRODUCER_NAME: '\u{1F600}'.repeat(120) },
  ],
  [{ FOLIO_LOG_LEVEL: 'silent' }, { FOLIO_LOG_LEVEL: 'silent' }],
  [{ PATH: '/bin', FOLIOX: '1', FOLIO_TEST_SERVER: '{}' }, { PORT: 3000 }],
];
for (const [env, expected] of accepted) {
  test(`the settings ${JSON.stringify(env)} are accepted`, () => {
    const config = readConfig(env);
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(config[name as keyof Config], value);
  });
}

const address = 'postgres://u@h/d';
const misnamed: readonly [Record<string, string>, found: string | undefined][] = [
  [{ DATABASE_URI: address }, 'DATABASE_URI'],
  [{ DATABASE_URL: '', DATABASE_URI: 'postgresql://u@h/d' }, 'DATABASE_URI'],
  [{ DB_URL: address }, 'DB_URL'],
  [{ POSTGRES_URL: address }, 'POSTGRES_URL'],
  [{ PG_DSN: address }, 'PG_DSN'],
  [{ DATABASE_CONNECTION_STRING: address }, 'DATABASE_CONNECTION_STRING'],
  // The embedded database is not used.
  [{ DATABASE_URL: address, DATABASE_URI: address }, undefined],
  [{ DATABASE_URL_FILE: '/run/url', DATABASE_URI: address }, undefined],
  // Of another program, or of another kind.
  [{ DATABASE_URI: 'mysql://u@h/d' }, undefined],
  [{ SHOP_DATABASE_URL: address }, undefined],
  [{ TEST_DB: address }, undefined],
  [{ PGHOST: 'h' }, undefined],
];
for (const [env, found] of misnamed)
  test(`given ${JSON.stringify(env)}, then ${found ?? 'nothing'} is taken for a wrong name of DATABASE_URL`, () =>
    assert.equal(misnamedDatabase(env), found));

const refused: readonly [Record<string, string>, RegExp][] = [
  [{ PORT: '-1' }, /^PORT must be a whole number from 0 to 65535\.$/],
  [{ PORT: '65536' }, /^PORT must/],
  [{ PORT: '3e3' }, /^PORT must/],
  [{ PORT: ' 80' }, /^PORT must/],
  [
    { DATABASE_URL: 'mysql://h/d', FOLIO_SECRET_KEY: secret },
    /^DATABASE_URL must be an address that begins with postgres:\/\/ or postgresql:\/\/\.$/,
  ],
  [{ DATABASE_URL: 'h/d', FOLIO_SECRET_KEY: secret }, /^DATABASE_URL must/],
  // Nothing of the password is told.
  ...['u:pa#ss@h', 'u:pa%ss@h', 'u:pa/ss@h'].map((login): [Record<string, string>, RegExp] => [
    { DATABASE_URL: `postgres://${login}/d`, FOLIO_SECRET_KEY: secret },
    /^DATABASE_URL cannot be read as an address: the signs # % \/ \? of user and password are percent-encoded there, # as %23\.$/,
  ]),
  [
    { FOLIO_SECRET_KEY: 'CHANGE-ME to 32 characters or more of your own' },
    /^FOLIO_SECRET_KEY still holds the CHANGE-ME of an example: put your own there\.$/,
  ],
  [{ DATABASE_URL: 'postgres://u@h/d' }, /^FOLIO_SECRET_KEY is needed with DATABASE_URL/],
  [{ DATABASE_DIRECT_URL: 'postgres://u@h/d' }, /^DATABASE_DIRECT_URL needs DATABASE_URL/],
  [{ DATABASE_MIGRATION_URL: 'postgres://u@h/d' }, /^DATABASE_MIGRATION_URL needs DATABASE_URL/],
  [
    { FOLIO_PUBLIC_URL: 'api.example.com' },
    /^FOLIO_PUBLIC_URL must be an address that begins with http:\/\/ or https:\/\/\.$/,
  ],
  ...['https://u:s3cret@example.com', 'https://example.com/?a=s3cret', 'https://example.com/#s3cret'].map(
    (FOLIO_PUBLIC_URL): [Record<string, string>, RegExp] => [
      { FOLIO_PUBLIC_URL },
      /^FOLIO_PUBLIC_URL must hold no user, password, query or fragment: addresses are made from it\.$/,
    ],
  ),
  [{ FOLIO_BLOB_URL: '/srv/blobs' }, /^FOLIO_BLOB_URL must begin with file:\/\/ or be of the form s3:https:/],
  [
    { FOLIO_BLOB_URL: 's3:https://AK:s3cret@host/bucket?acl=all' },
    /^FOLIO_BLOB_URL takes no parameter but region\.$/,
  ],
  ...['/srv/folio ', ' ', '/srv/folio\r'].map((FOLIO_DATA_DIR): [Record<string, string>, RegExp] => [
    { FOLIO_DATA_DIR },
    /^FOLIO_DATA_DIR must neither begin nor end with a space, nor hold a line break or tabulator\.$/,
  ]),
  [{ FOLIO_SECRET_KEY: 'k'.repeat(31) }, /^FOLIO_SECRET_KEY must have 32 characters or more\.$/],
  [{ FOLIO_SECRET_KEY: ' '.repeat(40) }, /^FOLIO_SECRET_KEY must not be blanks alone\.$/],
  [
    { FOLIO_SECRET_KEY: secret, FOLIO_SECRET_KEY_PREVIOUS: 'short' },
    /^FOLIO_SECRET_KEY_PREVIOUS must have 32 characters or more\.$/,
  ],
  [{ FOLIO_RATE_LIMITS: 'none' }, /^FOLIO_RATE_LIMITS must be default, off, or JSON/],
  [{ FOLIO_RATE_LIMITS: '[]' }, /^FOLIO_RATE_LIMITS must/],
  [{ FOLIO_RATE_LIMITS: '{"gold":[1,1]}' }, /^FOLIO_RATE_LIMITS must/],
  [{ FOLIO_RATE_LIMITS: '{"scale":[0,1]}' }, /^FOLIO_RATE_LIMITS must/],
  [{ FOLIO_RATE_LIMITS: '{"scale":[1.5,1]}' }, /^FOLIO_RATE_LIMITS must/],
  [{ FOLIO_RATE_LIMITS: '{"scale":[1]}' }, /^FOLIO_RATE_LIMITS must/],
  [
    { FOLIO_TRUSTED_PROXIES: 'proxy.example' },
    /^FOLIO_TRUSTED_PROXIES holds "proxy\.example", which is neither an address nor a CIDR range\.$/,
  ],
  [{ FOLIO_TRUSTED_PROXIES: '10.0.0.0/33' }, /^FOLIO_TRUSTED_PROXIES holds/],
  ...['a:hid#den@mail.example.com', 'a:hid/den@mail.example.com', 'a:1?den@mail.example.com'].map(
    (login): [Record<string, string>, RegExp] => [
      { FOLIO_SMTP_URL: `smtp://${login}:587`, FOLIO_MAIL_FROM: 'a@example.com' },
      /^FOLIO_SMTP_URL cannot be read as an address: the signs # % \/ \? of user and password are percent-encoded there, # as %23\.$/,
    ],
  ),
  [
    { FOLIO_SMTP_URL: 'smtp://a:hidden@mail.example.com?tls=maybe', FOLIO_MAIL_FROM: 'a@example.com' },
    /^FOLIO_SMTP_URL has an option tls that is none of: required, offered, none\.$/,
  ],
  [
    { FOLIO_SMTP_URL: 'smtp://mail.example.com', FOLIO_MAIL_FROM: 'Facturas <a@example.com>' },
    /^FOLIO_MAIL_FROM must be an e-mail address in ASCII, without a name\.$/,
  ],
  [
    { FOLIO_SMTP_URL: 'smtp://mail.example.com' },
    /^FOLIO_SMTP_URL and FOLIO_MAIL_FROM are set together, or neither is\.$/,
  ],
  [{ FOLIO_MAIL_FROM: 'a@example.com' }, /^FOLIO_SMTP_URL and FOLIO_MAIL_FROM are set together/],
  [
    { FOLIO_PRODUCER_NAME: 'Casa SL' },
    /^FOLIO_PRODUCER_NAME and FOLIO_PRODUCER_TAX_ID are set together, or neither is\.$/,
  ],
  [{ FOLIO_PRODUCER_TAX_ID: 'B12345674' }, /^FOLIO_PRODUCER_NAME and FOLIO_PRODUCER_TAX_ID/],
  [
    { FOLIO_PRODUCER_NAME: 'Casa SL', FOLIO_PRODUCER_TAX_ID: 'B12345675' },
    /^FOLIO_PRODUCER_TAX_ID must be a Spanish tax id \(NIF\)\.$/,
  ],
  [
    { FOLIO_PRODUCER_NAME: 'ñ'.repeat(121), FOLIO_PRODUCER_TAX_ID: 'B12345674' },
    /^FOLIO_PRODUCER_NAME must have 120 characters at most, as each record takes no more\.$/,
  ],
  [
    { FOLIO_AEAT_CERTIFICATE_PASSWORD: 'a password' },
    /^FOLIO_AEAT_CERTIFICATE_PASSWORD needs FOLIO_AEAT_CERTIFICATE, the file that it opens\.$/,
  ],
  ...['security@example.com', 'http://example.com', 'mailto:', 'mailto:x', 'https://example.com/\nX: y'].map(
    (contact): [Record<string, string>, RegExp] => [
      { FOLIO_SECURITY_CONTACT: `https://example.com/security, ${contact}` },
      /^FOLIO_SECURITY_CONTACT holds "[^"]*", which begins with neither mailto: nor https:\/\/ or is no address\.$/s,
    ],
  ),
  [{ FOLIO_METRICS_HOST: '127.0.0.1' }, /^FOLIO_METRICS_HOST needs FOLIO_METRICS_PORT/],
  [
    { FOLIO_METRICS_PORT: '3000' },
    /^FOLIO_METRICS_PORT and PORT are both 3000: give each a port of its own\.$/,
  ],
  [{ FOLIO_DOCS_PORT: '3000' }, /^FOLIO_DOCS_PORT and PORT are both 3000/],
  [
    {
      FOLIO_DOCS_PORT: '9400',
      FOLIO_METRICS_PORT: '9400',
      FOLIO_DOCS_HOST: '0.0.0.0',
      FOLIO_METRICS_HOST: '0.0.0.0',
    },
    /^FOLIO_DOCS_PORT and FOLIO_METRICS_PORT are both 9400/,
  ],
  [{ FOLIO_DOCS_HOST: '127.0.0.1' }, /^FOLIO_DOCS_HOST needs FOLIO_DOCS_PORT/],
  [{ FOLIO_DOCS_URL: 'https://docs.example.com' }, /^FOLIO_DOCS_URL needs FOLIO_DOCS_PORT/],
  [{ FOLIO_POOL_SIZE: '1' }, /^FOLIO_POOL_SIZE must be a whole number from 2 to 200\.$/],
  [{ FOLIO_LOG_LEVEL: 'verbose' }, /^FOLIO_LOG_LEVEL must be one of fatal, /],
  [
    { FOLIO_LOGLEVEL: 'info', FOLIO_XY: '' },
    /^Unknown setting FOLIO_LOGLEVEL, FOLIO_XY\. Settings are: PORT, /,
  ],
];
for (const [env, message] of refused) {
  test(`the settings ${JSON.stringify(env)} are refused`, () => {
    assert.throws(
      () => readConfig(env),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        for (const value of Object.values(env))
          assert.ok(value.length < 31 || !error.message.includes(value), 'no secret is told');
        return true;
      },
    );
  });
}

const root = mkdtempSync(join(tmpdir(), 'folio-config-'));

const inFile = (text: string | Buffer) => {
  const file = join(mkdtempSync(join(root, 'secret-')), 'value');
  writeFileSync(file, text);
  return file;
};

for (const ending of ['', '\n', '\r\n'])
  test(`given each secret in a file that ends in ${JSON.stringify(ending)}, then it is the same as its value`, () => {
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://u:p@h/d',
      DATABASE_MIGRATION_URL: 'postgres://o:p@h/d',
      DATABASE_DIRECT_URL: 'postgres://u:p@d/d',
      FOLIO_BLOB_URL: 's3:https://AK:s3cret@host/bucket',
      FOLIO_SECRET_KEY: secret,
      FOLIO_SECRET_KEY_PREVIOUS: `previous ${secret}`,
      FOLIO_SMTP_URL: 'smtp://a:b@mail.example.com',
      FOLIO_AEAT_CERTIFICATE_PASSWORD: ' with spaces ',
      FOLIO_API_KEY: 'svc_test_x',
    };
    assert.deepEqual(Object.keys(values).sort(), [...secretNames].sort());
    const others = { FOLIO_MAIL_FROM: 'a@example.com', FOLIO_AEAT_CERTIFICATE: '/x.p12' };
    const files = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${name}_FILE`, inFile(`${value}${ending}`)]),
    );
    assert.deepEqual(
      readConfig({ ...files, ...others, DATABASE_URL: '' }),
      readConfig({ ...values, ...others }),
    );
    assert.equal(readCommandVariable(files, 'FOLIO_API_KEY'), 'svc_test_x');
  });

const wrongFiles: [env: () => Record<string, string>, message: RegExp][] = [
  [
    () => ({ FOLIO_SECRET_KEY: secret, FOLIO_SECRET_KEY_FILE: inFile(secret) }),
    /^FOLIO_SECRET_KEY and FOLIO_SECRET_KEY_FILE are both set: leave one of them out\.$/,
  ],
  [
    () => ({ FOLIO_SECRET_KEY_FILE: '/nowhere/key' }),
    /^FOLIO_SECRET_KEY_FILE: \/nowhere\/key cannot be read \(ENOENT\)\.$/,
  ],
  [() => ({ FOLIO_SECRET_KEY_FILE: root }), /^FOLIO_SECRET_KEY_FILE: \S+ cannot be read \(EISDIR\)\.$/],
  [() => ({ FOLIO_SMTP_URL_FILE: inFile('\n') }), /^FOLIO_SMTP_URL_FILE: \S+ is empty\.$/],
  [
    () => ({ FOLIO_SECRET_KEY_FILE: inFile(`${secret}\n# mine`) }),
    /must hold one line with the value alone\.$/,
  ],
  [
    () => ({ FOLIO_SECRET_KEY_FILE: inFile('short') }),
    /^FOLIO_SECRET_KEY must have 32 characters or more\.$/,
  ],
  [() => ({ FOLIO_PUBLIC_URL_FILE: inFile('http://h') }), /^Unknown setting FOLIO_PUBLIC_URL_FILE\. /],
];
for (const [env, message] of wrongFiles)
  test(`given secrets in files, when they are read, then ${message} is said`, () => {
    assert.throws(
      () => readConfig(env()),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(secret));
        return true;
      },
    );
  });

test('given .env.example with each setting uncommented, then it means what no setting means', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const names = text.match(/^# [A-Z_]+=/gm)?.map((line) => line.slice(2, -1)) ?? [];
  assert.deepEqual(
    names.sort(),
    [...Object.keys(settings), ...secretNames.filter((n) => n in settings).map((n) => `${n}_FILE`)].sort(),
  );
  const taken = parseEnv(text.replace(/^# (?=[A-Z_]+=)(?!\w+_FILE=)/gm, ''));
  assert.deepEqual(readConfig(taken as Record<string, string>), readConfig({}));
});

test('given a file of settings, when it is loaded, then the environment goes before it, and a named one has to be there', () => {
  const name = 'FOLIO_TEST_OF_FILE';
  const other = `${name}_TOO`;
  process.env[name] = 'said';
  loadSettingsFile({ FOLIO_ENV_FILE: inFile(`${name}=filed\n${other}="a b"\n`) });
  assert.deepEqual([process.env[name], process.env[other]], ['said', 'a b']);
  assert.throws(() => loadSettingsFile({ FOLIO_ENV_FILE: '/nowhere/env' }), {
    message: 'The settings in /nowhere/env cannot be read (ENOENT).',
  });
  assert.throws(() => loadSettingsFile({ FOLIO_ENV_FILE: root }), {
    message: `The settings in ${root} cannot be read (EISDIR).`,
  });
});

for (const [line, is_read] of [
  ['FOLIO_TEST_OF_LINE: 80', false],
  ['export FOLIO_TEST_OF_LINE', false],
  ['  DATABASE_URL postgres://u:secret@h/d', false],
  ['DATABASE_MIGRATION_URL: postgres://u@h/d', false],
  ['DATABASE_URL_FILE: /run/secrets/url', false],
  ['DATABASE_DIRECT_URL=', true],
  ['# FOLIO_TEST_OF_LINE: 80', true],
  ['export FOLIO_TEST_OF_LINE = "80" # FOLIO', true],
  ['OTHER: 80', true],
] as const)
  test(`given a file of settings with the line "${line}", then it is ${is_read ? 'read' : 'refused by its number'}`, () => {
    const file = inFile(`# Ours\n${line}\n`);
    if (is_read) loadSettingsFile({ FOLIO_ENV_FILE: file });
    else
      assert.throws(() => loadSettingsFile({ FOLIO_ENV_FILE: file }), {
        message: `Line 2 of ${file} names a setting, but not as NAME=value.`,
      });
  });

test('given a file of settings that an editor began with a mark of its encoding, then its first line is read; UTF-16 is refused', () => {
  const name = 'FOLIO_TEST_OF_MARK';
  loadSettingsFile({ FOLIO_ENV_FILE: inFile(`\ufeff${name}=filed\n`) });
  assert.equal(process.env[name], 'filed');
  const file = inFile(Buffer.from(`\ufeff${name}=80\n`, 'utf16le'));
  assert.throws(() => loadSettingsFile({ FOLIO_ENV_FILE: file }), {
    message: `The settings in ${file} are not in UTF-8: save the file anew in it.`,
  });
});

test('given a folder, when a process begins in it, then its .env is read where there is one', () => {
  const folder = mkdtempSync(join(root, 'folder-'));
  const module = JSON.stringify(new URL('./environment.ts', import.meta.url).href);
  const script = `const { loadSettingsFile } = await import(${module});
    loadSettingsFile(process.env); console.log(process.env.FOLIO_TEST_OF_FOLDER);`;
  const read = () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    }).stdout;
  assert.equal(read(), 'undefined\n');
  writeFileSync(join(folder, '.env'), 'FOLIO_TEST_OF_FOLDER=filed\n');
  assert.equal(read(), 'filed\n');
});

after(() => rmSync(root, { recursive: true, force: true }));
// Windows has no file modes.
const has_modes = process.platform !== 'win32';
const keyOf = (folder: string) => secretKey({ FOLIO_SECRET_KEY: null, FOLIO_DATA_DIR: folder });

test('given an empty folder, when the key is asked for twice, then it is made once, for its owner alone', () => {
  const folder = join(root, 'new', 'data');
  const key = keyOf(folder);
  assert.equal(Buffer.from(key, 'base64').length, 32);
  assert.equal(keyOf(folder), key);
  assert.deepEqual(readdirSync(folder), ['secret-key']);
  if (has_modes) assert.equal(statSync(join(folder, 'secret-key')).mode & 0o777, 0o600);
});

test('given a key file that others may read, when it is used, then it is closed to them', () => {
  const folder = join(root, 'open');
  const key = keyOf(folder);
  chmodSync(join(folder, 'secret-key'), 0o644);
  assert.equal(keyOf(folder), key);
  if (has_modes) assert.equal(statSync(join(folder, 'secret-key')).mode & 0o777, 0o600);
});

test('given a key file cut short, when it is used, then it is refused and left as it is', () => {
  const folder = join(root, 'short');
  keyOf(folder);
  writeFileSync(join(folder, 'secret-key'), 'abc\n');
  assert.throws(() => keyOf(folder), { message: /holds no secret key: put the right one back/ });
  assert.equal(readFileSync(join(folder, 'secret-key'), 'utf8'), 'abc\n');
});

test('given a folder that cannot be made, when the key is asked for, then one sentence says so', () => {
  writeFileSync(join(root, 'file'), '');
  assert.throws(() => keyOf(join(root, 'file', 'data')), {
    name: 'Error',
    message: /cannot be read or made \(E[A-Z]+\)/,
  });
});

test('given a configured key, then no file is made', () => {
  const folder = join(root, 'configured');
  assert.equal(secretKey({ FOLIO_SECRET_KEY: secret, FOLIO_DATA_DIR: folder }), secret);
  assert.equal(existsSync(folder), false);
});
