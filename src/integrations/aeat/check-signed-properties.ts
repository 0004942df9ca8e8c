/** What a signer signs besides the content: time, certificates, policy and format. */
import { hash, type X509Certificate } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import { DATA_FORMAT, policy, SHA1, SHA256, SHA512 } from './signature-profile.ts';
import {
  algorithmOf,
  refuseUnless,
  refusals,
  take,
  takeAll,
  takeAttributes,
  takePlainBytes,
  takeText,
} from './signature-shape.ts';

const certificateHashes: Readonly<Record<string, string>> = {
  [SHA1]: 'sha1',
  [SHA256]: 'sha256',
  [SHA512]: 'sha512',
};

/** Compare the properties' digest first. */
export function checkProperties(
  properties: XmlElement,
  reference_id: string,
  certificates: readonly X509Certificate[],
): void {
  const [of_signature, of_data] = take(
    properties,
    'xades:SignedSignatureProperties',
    'xades:SignedDataObjectProperties',
  );
  const [time, signing, policy_identifier] = take(
    of_signature,
    'xades:SigningTime',
    'xades:SigningCertificate',
    'xades:SignaturePolicyIdentifier',
  );
  checkCertificates(takeAll(signing, 'xades:Cert'), certificates);
  checkTime(takeText(time), certificates[0]);
  checkPolicy(policy_identifier);

  const [format] = take(of_data, 'xades:DataObjectFormat');
  const [reference] = takeAttributes(format, 'ObjectReference');
  refuseUnless(reference === `#${reference_id}`, 'Las partes de la firma no corresponden unas a otras.');
  const [, identifier] = take(
    format,
    'xades:Description',
    'xades:ObjectIdentifier',
    'xades:MimeType',
    'xades:Encoding',
  );
  const [identifier_value] = take(identifier, 'xades:Identifier', 'xades:Description');
  refuseUnless(takeText(identifier_value) === DATA_FORMAT, refusals.shape);
}

/** Compares digests, so that no other certificate of the key can take the place. */
function checkCertificates(
  references: readonly XmlElement[],
  certificates: readonly X509Certificate[],
): void {
  refuseUnless(certificates.length <= references.length, 'El certificado no es el que se firmó.');
  references.forEach((reference, i) => {
    const [digest, issuer_serial] = take(reference, 'xades:CertDigest', 'xades:IssuerSerial');
    const [method, value] = take(digest, 'ds:DigestMethod', 'ds:DigestValue');
    const [, serial] = take(issuer_serial, 'ds:X509IssuerName', 'ds:X509SerialNumber');
    const algorithm = certificateHashes[algorithmOf(method)];
    refuseUnless(algorithm !== undefined, 'La firma usa un algoritmo que no se admite.');
    const certificate = certificates[i];
    if (certificate === undefined) return;
    refuseUnless(
      hash(algorithm, certificate.raw, 'buffer').equals(takePlainBytes(value)) &&
        BigInt(`0x${certificate.serialNumber}`).toString() === takeText(serial),
      'El certificado no es el que se firmó.',
    );
  });
}

function checkTime(time: string, signer: X509Certificate | undefined): void {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(time) ? Date.parse(time) : Number.NaN;
  refuseUnless(!Number.isNaN(at), 'La hora de la firma no se puede leer.');
  refuseUnless(
    signer !== undefined && signer.validFromDate.getTime() <= at && at <= signer.validToDate.getTime(),
    'El certificado no estaba en vigor a la hora de la firma.',
  );
}

function checkPolicy(element: XmlElement): void {
  const [chosen] = take(element, 'xades:SignaturePolicyId');
  const [id, digest] = take(chosen, 'xades:SigPolicyId', 'xades:SigPolicyHash', 'xades:SigPolicyQualifiers');
  const [identifier] = take(id, 'xades:Identifier', 'xades:Description');
  const [method, value] = take(digest, 'ds:DigestMethod', 'ds:DigestValue');
  refuseUnless(
    takeText(identifier) === policy.identifier &&
      algorithmOf(method) === SHA1 &&
      takeText(value) === policy.hash,
    'La firma se hizo con otra política de firma.',
  );
}
