import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prettyLine, terminalLog } from './pretty-logs.ts';

const time = new Date(2026, 10, 22, 9, 5, 7).getTime();
const line = (entry: object) => `${JSON.stringify({ time, pid: 7, hostname: 'vm', ...entry })}\n`;

const cases: [entry: object, shown: string][] = [
  [{ level: 30, msg: 'listening' }, '09:05:07  INFO   listening\n'],
  [
    { level: 40, msg: 'job failed', kind: 'email.send', attempt: 2, jobs: ['a'] },
    '09:05:07  WARN   job failed  kind=email.send  attempt=2  jobs=["a"]\n',
  ],
  [
    {
      level: 50,
      request_id: 'req_1',
      err: { type: 'Error', message: 'No', stack: 'Error: No\n    at x' },
      msg: 'bad',
    },
    '09:05:07  ERROR  bad  request_id=req_1\n  Error: No\n      at x\n  {"type":"Error"}\n',
  ],
  [{ level: 30, msg: 'a\nb\u001b[2J' }, '09:05:07  INFO   a\\u000ab\\u001b[2J\n'],
  [{ level: 60, err: { message: 'No' } }, '09:05:07  FATAL\n  No\n'],
];
for (const [entry, shown] of cases)
  test(`a terminal shows ${JSON.stringify(entry)} to people`, () =>
    assert.equal(prettyLine(line(entry)), shown));

test('given a log, when it goes to a terminal, then people can read it, and elsewhere it stays JSON', () => {
  const written: unknown[] = [];
  const write = (text: unknown) => written.push(text) > 0;
  terminalLog({ isTTY: true, write } as never)?.write(line({ level: 30, msg: 'ready' }));
  assert.deepEqual(written, ['09:05:07  INFO   ready\n']);
  assert.equal(terminalLog({ isTTY: false, write } as never), undefined);
  assert.equal(prettyLine('no JSON\n'), 'no JSON\n');
});
