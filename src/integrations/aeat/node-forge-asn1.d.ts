/** Only this part of node-forge is loaded: the whole library takes six times as long. */
declare module 'node-forge/lib/asn1.js' {
  export type Asn1 = { tagClass: number; type: number; constructed: boolean; value: string | Asn1[] };
  type ReadOptions = { strict: boolean; decodeBitStrings: boolean; maxDepth: number };
  const asn1: {
    /** @throws Error for bytes that are no DER, or nested deeper than `maxDepth` */
    fromDer(bytes: string, options: ReadOptions): Asn1;
    toDer(node: Asn1): { getBytes(): string };
    /** @throws Error for numbers above 2^53 */
    derToOid(bytes: string): string;
  };
  export default asn1;
}
