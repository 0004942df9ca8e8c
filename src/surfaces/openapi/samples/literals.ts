/** Values of JSON as another language writes them. */

type Words = {
  null: string;
  true: string;
  false: string;
  text(value: string): string;
  list: readonly [open: string, close: string];
  object: readonly [open: string, close: string];
  member(name: string, value: string): string;
  /** Where an object without members has a form of its own. */
  no_members?: string;
};

/** Every line but the first begins with the margin. */
export function indented(text: string, margin: string): string {
  return text.replaceAll('\n', `\n${margin}`);
}

/** One member a line, two spaces deeper for each level. */
export function literal(value: unknown, words: Words): string {
  if (value === null || value === undefined) return words.null;
  if (value === true || value === false) return value ? words.true : words.false;
  if (typeof value === 'string') return words.text(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const [open, close] = words.list;
    return nested(
      value.map((member) => literal(member, words)),
      open,
      close,
    );
  }
  const members = Object.entries(value).map(([name, member]) =>
    words.member(words.text(name), literal(member, words)),
  );
  if (members.length === 0 && words.no_members !== undefined) return words.no_members;
  return nested(members, ...words.object);
}

function nested(members: readonly string[], open: string, close: string): string {
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `  ${indented(member, '  ')},\n`).join('')}${close}`;
}
