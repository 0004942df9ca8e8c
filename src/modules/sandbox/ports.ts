/** The sandbox knows no table: each module names its own. */
declare module '../../kernel/ports.ts' {
  interface Ports {
    sandbox_tables: readonly SandboxTable[];
  }
}

export type SandboxTable = {
  name: string;
  /** Most rows deleted in one transaction. */
  at_once?: number;
  /** Its rows name files of scans. */
  has_files?: boolean;
};
