/** An address in a form: all text. The service replaces an address as a whole, so all of it is sent. */
const parts = [
  'line1',
  'line2',
  'number',
  'floor',
  'door',
  'staircase',
  'postal_code',
  'city',
  'province',
  'country',
] as const;

type Part = (typeof parts)[number];
export type AddressValues = Record<Part, string>;
export type Address = { [part in Part]?: string | null };

/** Spain when none is known. */
export function addressValues(address: Readonly<Record<string, unknown>> | null): AddressValues {
  const known: Readonly<Record<string, unknown>> = address ?? { country: 'ES' };
  return Object.fromEntries(parts.map((part) => [part, String(known[part] ?? '')])) as AddressValues;
}

/** A country alone is no address. */
export function addressOf(values: AddressValues): Address | null {
  const filled = parts.map((part) => [part, values[part].trim()] as const);
  if (filled.every(([part, text]) => text === '' || part === 'country')) return null;
  return Object.fromEntries(
    filled.map(([part, text]) => [part, text === '' ? null : part === 'country' ? text.toUpperCase() : text]),
  );
}

/** In one line, for people. */
export function addressText(address: Readonly<Record<string, unknown>> | null): string {
  if (address === null) return '';
  const of = (...names: Part[]) => names.flatMap((name) => (address[name] ? [String(address[name])] : []));
  return [
    of('line1', 'number', 'staircase', 'floor', 'door').join(' '),
    ...of('line2'),
    of('postal_code', 'city').join(' '),
    ...of('province', 'country'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}
