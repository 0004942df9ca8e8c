/** OpenSSL's, and those of Node about the name. The last is whatever has none: a weak key, an unknown critical extension. */
const ofCertificate =
  /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^UNSPECIFIED$/;

/** Whether a connection failed because the other side's certificate does not hold. What begins with ERR_SSL is about TLS. */
export const isCertificateCode = (code: string): boolean =>
  ofCertificate.test(code) && !code.startsWith('ERR_SSL');
