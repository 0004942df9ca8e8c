/** Where the log goes: to people at a terminal, or as JSON, one object a line, to the standard output. */
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { terminalLog } from './pretty-logs.ts';

export type LogStream = { write(line: string): void };

export function programLog(out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): LogStream {
  return terminalLog(out) ?? patientLog((bytes) => writeSync(1, bytes));
}

/** A reader that is slow is asked again after this time. */
const pauseMs = 100;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * A line that cannot be written, as on a full disk, is lost, and the service goes on: its log is not what people pay for.
 * The next line that finds room stands after one that says how many were lost.
 * @param write returns how many bytes it took, or throws
 */
export function patientLog(write: (bytes: Uint8Array) => number): LogStream {
  let lost = 0;
  let is_cut = false;
  let is_gone = false;

  /** False when it cannot be written. */
  const put = (text: string): boolean => {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) {
        const taken = writeOrWait(write, rest);
        if (taken > 0) is_cut = rest[taken - 1] !== lineFeed;
        rest = rest.subarray(taken);
      }
      return true;
    } catch (error) {
      is_gone = (error as { code?: string }).code === 'EPIPE';
      return false;
    }
  };

  return {
    write: (line) => {
      if (is_gone) return;
      const is_told = lost === 0 || put(`${is_cut ? '\n' : ''}${lostLine(lost)}`);
      if (is_told) lost = 0;
      if (!is_told || !put(line)) lost += 1;
    },
  };
}

const lineFeed = 10;

function writeOrWait(write: (bytes: Uint8Array) => number, bytes: Uint8Array): number {
  try {
    return write(bytes);
  } catch (error) {
    if (!['EAGAIN', 'EBUSY'].includes(String((error as { code?: string }).code))) throw error;
    Atomics.wait(sleeper, 0, 0, pauseMs);
    return 0;
  }
}

function lostLine(lost: number): string {
  const msg = `${lost} ${lost === 1 ? 'line' : 'lines'} of the log could not be written`;
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, hostname: hostname(), msg })}\n`;
}
