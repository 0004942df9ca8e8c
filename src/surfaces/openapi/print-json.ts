/**
 * Puts on one line what fits, and short values together. The file stays readable, and a change of contract is a small
 * diff.
 */

const widthMax = 110;

export function printJson(value: unknown): string {
  return `${print(value, { indent: '', taken: 0, is_sample: false })}\n`;
}

type Place = {
  indent: string;
  /** Columns taken besides the indent. */
  taken: number;
  is_sample: boolean;
};

function print(value: unknown, { indent, taken, is_sample }: Place): string {
  if (isScalar(value) || widthLeft(value, widthMax - indent.length - taken) >= 0) return oneLine(value);
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => print(member, { indent: deeper, taken: 1, is_sample }))
    : membersOf(value as object).map(([name, member]) => {
        const key = `${JSON.stringify(name)}: `;
        const place = { indent: deeper, taken: key.length + 1, is_sample: is_sample || name === 'examples' };
        return `${key}${print(member, place)}`;
      });
  const is_filled = is_sample || Object.values(value as object).every(isFlat);
  const lines = is_filled ? fillLines(members, widthMax - deeper.length - 1) : members;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.map((line) => `${deeper}${line}`).join(',\n')}\n${indent}${close}`;
}

/** Joins short members to lines. A member of several lines stands alone. */
function fillLines(members: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const member of members) {
    const last = lines.at(-1);
    const together = `${last}, ${member}`;
    if (last === undefined || together.includes('\n') || together.length > width) lines.push(member);
    else lines[lines.length - 1] = together;
  }
  return lines;
}

/** The width left with the value on one line. Counting stops once nothing is left. */
function widthLeft(value: unknown, width: number): number {
  if (isScalar(value)) return width - JSON.stringify(value).length;
  let left = width - 2;
  const members = Array.isArray(value) ? value.entries() : membersOf(value as object);
  let count = 0;
  for (const [name, member] of members) {
    if (left < 0) return left;
    left -= count++ === 0 ? 0 : 2;
    if (typeof name === 'string') left -= JSON.stringify(name).length + 2;
    left = widthLeft(member, left);
  }
  return Array.isArray(value) || count === 0 ? left : left - 2;
}

function oneLine(value: unknown): string {
  if (isScalar(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const members = membersOf(value as object).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function membersOf(value: object): [name: string, member: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A value without inner schemas, such as a description. */
function isFlat(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
