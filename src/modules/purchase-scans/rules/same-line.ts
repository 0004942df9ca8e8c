/** What stands near a place, in its own line. A text may be one line of megabytes, so `most` characters are looked at. */

export function sameLineBefore(text: string, at: number, most: number): string {
  const near = text.slice(Math.max(0, at - most), at);
  return near.slice(near.lastIndexOf('\n') + 1);
}

export function sameLineBehind(text: string, at: number, most: number): string {
  const [line = ''] = text.slice(at, at + most).split('\n', 1);
  return line;
}
