/**
 * Which events of the outbox are taken together. Rows are read by id, and ids are made before the aggregate is locked:
 * of two events of one aggregate the later may have the smaller id. `sequence` is what orders them, so a batch never
 * takes an event and leaves an earlier one of its aggregate for the next.
 */

export type Outgoing = { aggregate_id: string; sequence: number };

/**
 * @param rows by id; what goes beyond `size` is only looked at for events that belong before the batch's
 * @returns the batch, earlier events of an aggregate before later ones
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
  // Aggregates keep the places they have among each other.
  return taken.map((row) => places.get(row.aggregate_id)?.shift() ?? row);
}
