/**
 * Which events of the outbox are taken together. Rows are read by id, and ids are made before the aggregate
 * is locked. Of two events of one aggregate, the later one may therefore have the smaller id; `sequence`
 * gives the order. A batch never takes an event without the earlier ones of its aggregate.
 */

export type Outgoing = { aggregate_id: string; sequence: number };

/**
 * @param rows by id. Rows beyond `size` are searched only for events that belong before the batch's
 * @returns the batch, with the events of each aggregate in order
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
