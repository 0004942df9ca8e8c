/**
 * Chooses events to take together. Rows are read by id, but ids are made before the aggregate is locked, so a
 * later event may have the smaller id. `sequence` gives the order. A batch never takes an event without the
 * earlier ones of its aggregate.
 */

export type Outgoing = { aggregate_id: string; sequence: number };

/**
 * @param rows by id. Beyond `size`, only earlier events of the batch's aggregates are taken
 * @returns the events of each aggregate in order
 */
export function outboxBatch<R extends Outgoing>(rows: readonly R[], size: number): R[] {
  const taken = rows.slice(0, size);
  const last = new Map<string, number>();
  for (const { aggregate_id, sequence } of taken)
    last.set(aggregate_id, Math.max(sequence, last.get(aggregate_id) ?? 0));
  for (const row of rows.slice(size)) {
    if (row.sequence < (last.get(row.aggregate_id) ?? 0)) taken.push(row);
  }
  const places = new Map<string, R[]>();
  for (const row of taken) {
    const others = places.get(row.aggregate_id);
    if (others) others.push(row);
    else places.set(row.aggregate_id, [row]);
  }
  for (const others of places.values()) others.sort((a, b) => a.sequence - b.sequence);
  // Each place keeps its aggregate.
  return taken.map((row) => places.get(row.aggregate_id)?.shift() ?? row);
}
