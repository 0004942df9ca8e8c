import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patientLog, programLog } from './program-log.ts';

const withCode = (code: string) => Object.assign(new Error(code), { code });

/** Takes bytes while it has room. */
class Disk {
  text = '';
  room = Number.POSITIVE_INFINITY;
  writes = 0;
  readonly write = (bytes: Uint8Array): number => {
    this.writes += 1;
    const taken = Math.min(bytes.length, this.room);
    if (taken === 0) throw withCode('ENOSPC');
    this.text += Buffer.from(bytes.subarray(0, taken)).toString();
    this.room -= taken;
    return taken;
  };
}

test('given a disk that fills up, then lines are lost without a fault, and the next one that finds room says how many', () => {
  const disk = new Disk();
  const log = patientLog(disk.write);
  log.write('one ñ\n');
  disk.room = 3;
  log.write('two two\n');
  log.write('three\n');
  disk.room = 4;
  log.write('four\n');
  disk.room = Number.POSITIVE_INFINITY;
  log.write('five\n');
  log.write('six\n');
  const [first, cut, cutAgain, told, ...after] = disk.text.split('\n');
  assert.deepEqual([first, cut, cutAgain, ...after], ['one ñ', 'two', '{"l', 'five', 'six', '']);
  const { level, msg, time } = JSON.parse(told!) as { level: number; msg: string; time: number };
  assert.deepEqual([level, msg, typeof time], [40, '3 lines of the log could not be written', 'number']);
});

test('given a reader that is slow, then the line waits for it and is whole', () => {
  let text = '';
  let asked = 0;
  const log = patientLog((bytes) => {
    asked += 1;
    if (asked === 1) throw withCode('EAGAIN');
    text += String.fromCharCode(bytes[0]!);
    return 1;
  });
  log.write('ab\n');
  assert.equal(text, 'ab\n');
});

test('given a reader that has left, then nothing is written any more', () => {
  let asked = 0;
  const log = patientLog(() => {
    asked += 1;
    throw withCode('EPIPE');
  });
  log.write('a\n');
  log.write('b\n');
  assert.equal(asked, 1);
});

test('given a terminal, then its log is for people', () => {
  const written: unknown[] = [];
  const write = (text: unknown) => written.push(text) > 0;
  programLog({ isTTY: true, write } as never).write('{"level":30,"time":0,"msg":"ready"}\n');
  assert.match(String(written[0]), /^\d\d:\d\d:00 {2}INFO {3}ready\n$/);
});
