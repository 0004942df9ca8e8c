/** What the commands print. Tenants chose some of it, so it must not drive the operator's terminal. */

/** Controls (C0, DEL, C1), line separators, marks that turn the direction of text, and half surrogate pairs. */
const unseen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** As JSON escapes, so that JSON stays what it was. */
export function forTerminal(text: string): string {
  return text.replace(unseen, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function say(line: string): void {
  sayTogether([line]);
}

/** In one write: no line of another process stands between them, and who reads the first has the others. */
export function sayTogether(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${forTerminal(line)}\n`).join(''));
}

/** A stack has lines of its own. */
export function complain(text: string): void {
  process.stderr.write(`${text.split('\n').map(forTerminal).join('\n')}\n`);
}

const isText = (media_type: string) => /^text\/|[/+]xml\b/.test(media_type);

/** Bytes go out as they are to a program. Text that people read at a terminal may come from tenants. */
export function handOver(
  out: { isTTY?: boolean; write(chunk: string | Uint8Array): boolean },
  body: Buffer,
  media_type: string,
): void {
  if (!out.isTTY || !isText(media_type)) {
    out.write(body);
    return;
  }
  out.write(`${body.toString().split('\n').map(forTerminal).join('\n')}\n`);
}
