/** The program that starts the server: its names on the machine and in messages. */
export type Program = {
  /**
   * For names on the machine: `folio` gives user `folio-postgres`, `/var/lib/folio` and sockets in `/tmp/folio-pg-…`.
   */
  id: string;
  /** For messages: `Folio`. */
  name: string;
  /** How to use another server, in the imperative: `set DATABASE_URL to a PostgreSQL server`. */
  use_other_server: string;
  /** How to use another folder, in the imperative: `choose another folder with FOLIO_DATA_DIR`. */
  use_other_folder: string;
};
