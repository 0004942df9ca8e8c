export type Program = {
  /** On the machine: `folio` gives user `folio-postgres`, `/var/lib/folio`, sockets in `/tmp/folio-pg-…`. */
  id: string;
  /** In messages: `Folio`. */
  name: string;
  /** In the imperative: `set DATABASE_URL to a PostgreSQL server`. */
  use_other_server: string;
  /** In the imperative: `choose another folder with FOLIO_DATA_DIR`. */
  use_other_folder: string;
};
