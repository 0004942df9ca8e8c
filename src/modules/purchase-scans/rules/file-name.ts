const lengthMax = 255;

/** Only the last part of a path, without control characters and signs that turn the text around. */
export function plainFileName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '').trim();
  return plain === '' || /^\.+$/.test(plain) ? 'documento' : [...plain].slice(0, lengthMax).join('');
}
