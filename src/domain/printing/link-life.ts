/** Until when the addresses of a document open (ADR 31). */

export type LinkLife = {
  /** When the owner replaced the page's address; null: never. */
  renewed_at: Date | null;
  /** Null: for good. */
  ends_at: Date | null;
};

/**
 * @param begun_at the issue; a new address begins anew
 * @param months the company's setting; null: for good
 */
export function linkLife(renewed_at: Date | null, begun_at: Date, months: number | null): LinkLife {
  return { renewed_at, ends_at: months === null ? null : addMonths(renewed_at ?? begun_at, months) };
}

/** The 31st of a short month is its last day. */
function addMonths(instant: Date, months: number): Date {
  const later = new Date(instant);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== instant.getUTCDate()) later.setUTCDate(0);
  return later;
}

/** @param renewed_at of the address that was opened */
export function hasPageEnded(life: LinkLife, renewed_at: Date | null, now: Date): boolean {
  const is_replaced = life.renewed_at?.getTime() !== renewed_at?.getTime();
  return is_replaced || (life.ends_at !== null && life.ends_at <= now);
}

/** A one-day address ends when the page's address is replaced after it was made. */
export function hasDayLinkEnded({ renewed_at }: LinkLife, made_at: Date): boolean {
  return renewed_at !== null && made_at <= renewed_at;
}
