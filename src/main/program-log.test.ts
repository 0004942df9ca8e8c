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

/** Takes some bytes at a time, and only so many at all before it is asked again. */
class SlowReader {
  text = '';
  asked = 0;
  room = 0;
  again: (() => void)[] = [];
  readonly write = (bytes: Uint8Array): number => {
    this.asked += 1;
    if (this.room === 0) throw withCode('EAGAIN');
    const taken = Math.min(bytes.length, this.room);
    this.text += Buffer.from(bytes.subarray(0, taken)).toString('latin1');
    this.room -= taken;
    return taken;
  };
  readonly later = (ask: () => void): void => void this.again.push(ask);
  takes(room: number): void {
    this.room = room;
    for (const ask of this.again.splice(0)) ask();
  }
}

test('given a reader that is slow, then nobody waits for it, and lines are whole and in their order', () => {
  const reader = new SlowReader();
  const log = patientLog(reader.write, reader.later);
  log.write('one\n');
  log.write('two\n');
  assert.deepEqual([reader.asked, reader.again.length], [1, 1]);
  reader.takes(2);
  log.write('three\n');
  reader.takes(7);
  assert.equal(reader.text, 'one\ntwo\nt');
  reader.takes(Number.POSITIVE_INFINITY);
  log.write('four\n');
  assert.equal(reader.text, 'one\ntwo\nthree\nfour\n');
  assert.equal(reader.again.length, 0);
});

test('given a reader that has stopped, then lines that are too many are lost, and it is told how many when it goes on', () => {
  const reader = new SlowReader();
  const log = patientLog(reader.write, reader.later);
  const line = `${'x'.repeat(999_999)}\n`;
  for (let i = 0; i < 12; i += 1) log.write(line);
  reader.takes(Number.POSITIVE_INFINITY);
  log.write('next\n');
  const lines = reader.text.split('\n');
  assert.equal(lines.length, 12, 'nine that waited, one that tells, the next, and its end');
  assert.equal(JSON.parse(lines[9]!).msg, '3 lines of the log could not be written');
  assert.equal(lines[10], 'next');
});

test('given lines that wait for a reader, when the process ends, then the reader is asked for a second, and not for ever', () => {
  const reader = new SlowReader();
  const log = patientLog(reader.write, reader.later);
  log.write('last\n');
  assert.equal(log.end(), 1);
  assert.equal(reader.text, '');
  reader.room = Number.POSITIVE_INFINITY;
  assert.equal(log.end(), 0);
  assert.equal(reader.text, 'last\n');
});

test('given lines that were lost, when the process ends, then the log says how many, or the answer does where it takes nothing', () => {
  const disk = new Disk();
  disk.room = 0;
  const log = patientLog(disk.write);
  log.write('one\n');
  log.write('two\n');
  assert.equal(log.end(), 2);
  disk.room = Number.POSITIVE_INFINITY;
  assert.equal(log.end(), 0);
  assert.equal(JSON.parse(disk.text).msg, '2 lines of the log could not be written');
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
