/** The program that brings the server along: its names on the machine, and its words in messages for people. */
export type Program = {
  /** For names on the machine: `folio` gives user `folio-postgres`, `/var/lib/folio` and sockets in `/tmp/folio-pg-…`. */
  id: string;
  /** For messages: `Folio`. */
  name: string;
  /** How a person uses another server, in the imperative: `set DATABASE_URL to a PostgreSQL server`. */
  use_other_server: string;
  /** How a person uses another folder, in the imperative: `choose another folder with FOLIO_DATA_DIR`. */
  use_other_folder: string;
};
