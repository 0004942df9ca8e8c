/** The log for people at a terminal. Elsewhere it stays JSON, one object a line, for programs. */
import { forTerminal } from './terminal.ts';

const names: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Shown elsewhere, or the same on every line. */
const leftOut = ['level', 'time', 'pid', 'hostname', 'msg', 'err'];

/** @returns a line of the log, with its stack below; what is no JSON stays as it is */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, err } = entry as { level: number; time: number; msg?: string; err?: unknown };
  const details = Object.entries(entry)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = [
    new Date(time).toTimeString().slice(0, 8),
    (names[level] ?? String(level)).padEnd(5),
    msg ?? '',
  ];
  const told = [...head, ...details].filter((part) => part !== '').join('  ');
  return `${[told, ...stackOf(err)].map(forTerminal).join('\n')}\n`;
}

function stackOf(err: unknown): string[] {
  if (err === null || typeof err !== 'object') return [];
  const { stack, message, ...more } = err as { stack?: string; message?: string };
  const rest = Object.keys(more).length > 0 ? [JSON.stringify(more)] : [];
  return [...(stack ?? message ?? '').split('\n'), ...rest].map((text) => `  ${text}`);
}

/** The log of a service that somebody watches at a terminal; undefined leaves it JSON. */
export function terminalLog(
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
): { write(line: string): void } | undefined {
  return out.isTTY ? { write: (line) => void out.write(prettyLine(line)) } : undefined;
}
