/**
 * Arrays of texts, ids and integers to and from PostgreSQL. The driver would ask each new connection for all array
 * types. If the connection dies meanwhile, a rejection that nobody can catch ends the process. So these few types are
 * declared here.
 */
import type { PostgresType } from 'postgres';

/** Quotes every text, so that commas, quotes and the word null mean nothing. */
function writeArray(values: unknown): string {
  // Written as an array already: the driver passes a text on.
  if (!Array.isArray(values)) return String(values);
  const members = values.map((value) =>
    value === null ? 'null' : `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`,
  );
  return `{${members.join(',')}}`;
}

const member = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

/** Reads an array of one dimension. */
function readArray(text: string): (string | null)[] {
  return [...text.matchAll(member)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1');
    return bare === 'NULL' || bare === undefined ? null : bare;
  });
}

const arrayOf = <T>(oid: number, read: (text: string) => T): PostgresType => ({
  to: oid,
  from: [oid],
  serialize: writeArray,
  parse: (text: string) => readArray(text).map((value) => (value === null ? null : read(value))),
});

export const arrayTypes = {
  text_array: arrayOf(1009, String),
  uuid_array: arrayOf(2951, String),
  integer_array: arrayOf(1007, Number),
};
