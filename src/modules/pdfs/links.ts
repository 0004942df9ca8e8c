/**
 * Addresses that open one document without a key (ADR 20, 31): company, document, and the installation's signature.
 * Only the time at which the owner replaced an address is stored.
 */
import type { PrintedFormat } from '../../domain/printing/printed-document.ts';
import { uuidFromBytes, uuidToBytes } from '../../kernel/uuid7.ts';
import { signedTokens } from '../../platform/signed-tokens.ts';
import { documentKinds, paperKinds } from '../../domain/sales/document-kinds.ts';
import type { DocumentRef, LinkedKind, LinkPort } from './ports.ts';

/** The number of each kind within addresses. */
export type AddressCodes = Readonly<Record<string, number>>;

const codesOfKinds: AddressCodes = Object.fromEntries(
  paperKinds.map((kind) => [kind, documentKinds[kind].address_code]),
);

function codeOf(kinds: AddressCodes, kind: string): number {
  const code = kinds[kind];
  if (code === undefined) throw new Error(`A ${kind} has no address.`);
  return code;
}

/** People keep these addresses: never change or reuse a number. */
const formatCodes: Record<PrintedFormat, number> = { a4: 1, ticket_80: 2, ticket_58: 3 };

/** How long a PDF's address opens. */
export const dayLinkMs = 24 * 3_600_000;

const documentBytes = 1 + 16 + 16;
/** Document, and when its address was replaced, in milliseconds. */
const renewedBytes = documentBytes + 6;
/** Document, format, expiry in milliseconds. */
const pdfBytes = documentBytes + 1 + 6;

/**
 * @param keys of the installation; the first one signs
 * @param public_url without a final slash; known once the service listens
 */
export function makeLinks(
  keys: readonly Buffer[],
  public_url: () => string,
  kinds: AddressCodes = codesOfKinds,
): LinkPort {
  const pages = signedTokens(keys, 'page of a document');
  const pdfs = signedTokens(keys, 'pdf of a document');
  return {
    publicUrl(document) {
      const { renewed_at } = document;
      const body = writeDocument(kinds, document, renewed_at === null ? documentBytes : renewedBytes);
      if (renewed_at !== null) body.writeUIntBE(new Date(renewed_at).getTime(), documentBytes, 6);
      return `${public_url()}/i/${pages.sign(body)}`;
    },
    apiUrl: (path) => `${public_url()}${path}`,
    pdfUrl(document, format, expires_at) {
      const body = writeDocument(kinds, document, pdfBytes);
      body[documentBytes] = formatCodes[format];
      body.writeUIntBE(expires_at.getTime(), documentBytes + 1, 6);
      return `${public_url()}/pdf/${pdfs.sign(body)}`;
    },
    readPublic(token) {
      const body = pages.open(token, documentBytes) ?? pages.open(token, renewedBytes);
      const document = body && readDocument(kinds, body);
      if (!document) return undefined;
      const is_first = body.length === documentBytes;
      return { ...document, renewed_at: is_first ? null : new Date(body.readUIntBE(documentBytes, 6)) };
    },
    readPdf(token, now) {
      const body = pdfs.open(token, pdfBytes);
      const document = body && readDocument(kinds, body);
      const format = body && nameOf(formatCodes, body[documentBytes]);
      if (!document || !format) return undefined;
      const expires_at = new Date(body.readUIntBE(documentBytes + 1, 6));
      const made_at = new Date(expires_at.getTime() - dayLinkMs);
      return { document, format, made_at, has_expired: expires_at <= now };
    },
  };
}

function writeDocument(kinds: AddressCodes, { company_id, kind, id }: DocumentRef, length: number): Buffer {
  const body = Buffer.alloc(length);
  body[0] = codeOf(kinds, kind);
  uuidToBytes(company_id).copy(body, 1);
  uuidToBytes(id).copy(body, 17);
  return body;
}

/** @returns undefined for a kind of another version of the service */
function readDocument(kinds: AddressCodes, body: Buffer): DocumentRef | undefined {
  const kind = nameOf(kinds, body[0]) as LinkedKind | undefined;
  return kind && { company_id: uuidFromBytes(body, 1), kind, id: uuidFromBytes(body, 17) };
}

function nameOf<Name extends string>(
  codes: Record<Name, number>,
  code: number | undefined,
): Name | undefined {
  return (Object.keys(codes) as Name[]).find((name) => codes[name] === code);
}
