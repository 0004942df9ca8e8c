/** FechaFinVeriFactu in the header of a message. */

/**
 * The authority takes 31 December of this year or of the last one, and refuses the whole message for another (4120): an end in a
 * later year is told from that year on.
 */
export function toldEnd(ends_on: string | null, today: string): string | null {
  if (ends_on === null) return null;
  const years = Number(today.slice(0, 4)) - Number(ends_on.slice(0, 4));
  return years === 0 || years === 1 ? ends_on : null;
}
