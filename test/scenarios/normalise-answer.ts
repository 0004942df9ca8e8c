/**
 * Makes two runs of one example comparable: random values become fixed values of the same shape. Times of the company's
 * clock stay.
 */

export type Surroundings = {
  tax_id: string;
  /** By the company's clock. */
  now: Date;
  /** By the machine's clock: when the example began. */
  began_at: number;
};

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const textMax = 200;

/** Ids are numbered by first appearance. */
export function normaliseAnswer(body: unknown, { tax_id, now, began_at }: Surroundings): unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    const known = ids.get(id) ?? `0199c4a8-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };

  const normaliseText = (text: string): string => {
    if (isRealTime(text, began_at)) return now.toISOString();
    const plain = text
      .replaceAll(tax_id, 'B12345674')
      .replace(/req_[0-9a-f]{32}/g, `req_${'0'.repeat(32)}`)
      .replace(
        /(svc_(?:live|test|app|cs)_)([\w-]+)/g,
        (_, prefix: string, rest: string) => prefix + '0'.repeat(rest.length),
      )
      .replace(/\/(i|pdf)\/[\w-]{40,}/g, (_, place: string) => `/${place}/${'0'.repeat(40)}`)
      .replace(/whsec_[A-Za-z0-9+/=]+/g, `whsec_${'0'.repeat(43)}=`)
      .replace(
        /(\/(?:i|pdf)\/)([\w-]{66,})/g,
        (_, path: string, token: string) => path + '0'.repeat(token.length),
      )
      .replace(/\b(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{32})\b/g, (hex) => '0'.repeat(hex.length))
      .replace(uuid, idOf);
    return plain.length > textMax && !plain.includes(' ') ? `${plain.slice(0, 40)}…` : plain;
  };

  const normalise = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return normaliseText(value);
    if (key === 'duration_ms' && typeof value === 'number') return 1.5;
    if (Array.isArray(value)) return value.map((member) => normalise(member, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalise(member, name)]));
  };
  return normalise(body, '');
}

/**
 * Whether the instant comes from the machine's clock: from the second in which the example began until now. The company's stands still.
 * A printed instant is none, but in the second that it names.
 */
function isRealTime(text: string, began_at: number): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return false;
  const at = Date.parse(text);
  return at > began_at - 1000 && at <= Date.now();
}
