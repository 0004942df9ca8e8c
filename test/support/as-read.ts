type Blocks = { verifactu?: { status: string } | null; pdf?: unknown; email?: unknown };

/** What GET says of an invoice that a call has just created, with VeriFactu off: without the blocks of the creation. */
export function asRead<T extends object>(created: T) {
  const { pdf: _, email: __, ...data } = created as T & Blocks;
  return { ...data, verifactu: data.verifactu?.status === 'disabled' ? null : data.verifactu };
}
