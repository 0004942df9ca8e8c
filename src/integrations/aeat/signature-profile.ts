/**
 * How kept, unsent records and events are signed: XAdES-EPES, enveloped, under the signature policy of the State's
 * administration (Orden HAC/1177/2024, art. 14).
 */
import { namespaces } from './names.ts';

export const DS = namespaces.signature;
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#';

export const CANONICAL = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
export const ENVELOPED = `${DS}enveloped-signature`;
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const RSA_SHA512 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';
export const SHA1 = `${DS}sha1`;
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
export const SIGNED_PROPERTIES_TYPE = 'http://uri.etsi.org/01903#SignedProperties';

export const policy = {
  identifier: 'urn:oid:2.16.724.1.3.1.1.2.1.9',
  /** The SHA-1 that the publisher of the policy states. */
  hash: 'G7roucf600+f03r/o0bAOQ6WAs0=',
  document: 'https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf',
} as const;

/** The object identifier of XML. */
export const DATA_FORMAT = 'urn:oid:1.2.840.10003.5.109.10';

/** The signed documents, each with the element that gets the signature as last child. */
export const signedRoots: ReadonlyMap<string, string> = new Map([
  ['RegistroAlta', 'RegistroAlta'],
  ['RegistroAnulacion', 'RegistroAnulacion'],
  ['RegistroEvento', 'Evento'],
]);
