declare module '../../kernel/ports.ts' {
  interface Ports {
    key_limits: KeyLimits;
  }
}

export type KeyLimits = {
  /** In force, of a company and its sandbox (FOLIO_API_KEYS_MAX). */
  keys_max: number;
};
