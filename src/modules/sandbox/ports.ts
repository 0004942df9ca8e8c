/** The sandbox knows no documents: the list of families supplies their tables. */
declare module '../../kernel/ports.ts' {
  interface Ports {
    document_tables: readonly DocumentTables[];
  }
}

/** Of one kind of document. */
export type DocumentTables = {
  documents: string;
  /** Their rows refer to documents, and are deleted first. */
  before: readonly string[];
  /** Their rows are deleted with their document. */
  with: readonly string[];
};
