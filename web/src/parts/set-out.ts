/** A text that is JSON, in lines. What it says is not read: a number that no double holds stays as it was sent. */

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
const blanks = (depth: number) => `\n${'  '.repeat(depth)}`;

/** @returns the text itself where it is no JSON */
export function setOut(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let before = '';
  let lines = '';
  for (const [token] of text.matchAll(tokens)) {
    const is_end = token === '}' || token === ']';
    const is_begun = before === '{' || before === '[';
    if (is_end) depth -= 1;
    // What is empty has no line of its own.
    const begins = is_end ? !is_begun : is_begun || before === ',';
    lines += `${begins ? blanks(depth) : ''}${token}${token === ':' ? ' ' : ''}`;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return lines;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
