/** Ids: UUID v7 made in the process, strictly increasing within it (RFC 9562, section 6.2). */
import { v7 } from 'uuid';

/** A new id. Real time, never a company's clock: order by id is order of creation. */
export function newId(): string {
  return v7();
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version, in the usual form. */
export function isUuid(text: string): boolean {
  return uuidText.test(text);
}
