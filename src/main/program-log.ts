/** Where the log goes: to people at a terminal, or as JSON, one object a line, to the standard output. */
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { terminalLog } from './pretty-logs.ts';

export type LogStream = { write(line: string): void };

/** One for the process: the service may start anew in it. */
let standard: PatientLog | undefined;

export function programLog(out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): LogStream {
  const people = terminalLog(out);
  if (people) return people;
  standard ??= standardLog();
  return standard;
}

function standardLog(): PatientLog {
  const log = patientLog((bytes) => writeSync(1, bytes));
  process.once('exit', () => tellLost(log.end()));
  return log;
}

/** To the standard error, which may lead elsewhere. */
function tellLost(lost: number): void {
  if (lost === 0) return;
  try {
    writeSync(2, `folio: ${lostText(lost)}.\n`);
  } catch {
    // It leads where the log does.
  }
}

/** A reader that is slow is asked again after this time. */
const pauseMs = 20;
/** At the end of the process it is asked so often. */
const lastAsks = 50;
/** Bytes that wait for it. */
const heldMax = 8_000_000;

type PatientLog = LogStream & {
  /**
   * Writes what waits, as far as the reader takes it within a second.
   * @returns how many lines are lost and were not told
   */
  end(): number;
};

/** `lines`: how many are lost with it. */
type Held = { bytes: Uint8Array; lines: number; is_begun: boolean };

/**
 * A line that cannot be written, as on a full disk, is lost, and the service goes on: its log is not what people pay for. So it does
 * while a reader is slow: lines wait for it, and those that are too many are lost. The next line that finds room stands after one
 * that says how many were lost.
 * @param write returns how many bytes it took, or throws
 * @param askLater calls once after a pause
 */
export function patientLog(write: (bytes: Uint8Array) => number, askLater = callLater): PatientLog {
  const held: Held[] = [];
  let length = 0;
  let lost = 0;
  let is_cut = false;
  let is_gone = false;
  let is_waiting = false;

  const hold = (text: string, lines: number) => {
    const bytes = Buffer.from(text);
    held.push({ bytes, lines, is_begun: false });
    length += bytes.length;
  };

  /** @returns false while the reader takes no more */
  const put = (one: Held): boolean => {
    if (!one.is_begun && is_cut) one.bytes = Buffer.concat([Uint8Array.of(lineFeed), one.bytes]);
    one.is_begun = true;
    try {
      while (one.bytes.length > 0) {
        const taken = write(one.bytes);
        if (taken > 0) is_cut = one.bytes[taken - 1] !== lineFeed;
        one.bytes = one.bytes.subarray(taken);
      }
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code === 'EAGAIN' || code === 'EBUSY') return false;
      is_gone = code === 'EPIPE';
      lost += one.lines;
    }
    return true;
  };

  const pass = () => {
    let done = 0;
    while (done < held.length && !is_gone && put(held[done]!)) done += 1;
    held.splice(0, is_gone ? held.length : done);
    length = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  };

  const passNow = () => {
    pass();
    is_waiting = held.length > 0;
    if (is_waiting) askLater(passNow);
  };

  return {
    write: (line) => {
      if (is_gone) return;
      if (length > heldMax) {
        lost += 1;
        return;
      }
      const told = lost;
      lost = 0;
      if (told > 0) hold(lostLine(told), told);
      hold(line, 1);
      if (!is_waiting) passNow();
    },
    end: () => {
      for (let asked = 0; held.length > 0 && asked < lastAsks; asked += 1) {
        if (asked > 0) Atomics.wait(sleeper, 0, 0, pauseMs);
        pass();
      }
      if (is_gone) return 0;
      if (held.length === 0 && lost > 0) {
        hold(lostLine(lost), lost);
        lost = 0;
        pass();
      }
      return held.reduce((sum, { lines }) => sum + lines, lost);
    },
  };
}

const lineFeed = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** The process does not go on for it. */
const callLater = (ask: () => void): void => void setTimeout(ask, pauseMs).unref();

const lostText = (lost: number): string =>
  `${lost} ${lost === 1 ? 'line' : 'lines'} of the log could not be written`;

function lostLine(lost: number): string {
  const msg = lostText(lost);
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, hostname: hostname(), msg })}\n`;
}
