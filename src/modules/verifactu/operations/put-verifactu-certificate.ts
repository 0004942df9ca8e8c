import { dayIn } from '../../../kernel/dates.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { One, Shape, Text } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { turnRefusal } from '../../../platform/fair-turns.ts';
import { Certificate, presentCertificate } from '../identity/certificates.schema.ts';
import { findCertificate, insertCertificate, retireCertificate } from '../identity/certificates.store.ts';
import { certificatePlace } from '../identity/signer.ts';
import { warnOfEnds } from '../identity/expiry.ts';
import { resumeWork } from '../settings/resume-work.ts';
import type { CertificateFile, Signer } from '../ports.ts';
import { lockModes } from '../settings/settings.store.ts';

/** A file of 100 kB in base 64, with line breaks. */
const base64Max = 140_000;
const retrySeconds = 5;

export const putVerifactuCertificate = defineOperation({
  name: 'put_verifactu_certificate',
  method: 'PUT',
  path: '/v1/verifactu/certificate',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Sube el certificado de la empresa.',
  description:
    'Guarda el certificado con el que la empresa envía sus registros y los firma: un fichero PKCS#12 (.p12 o .pfx) con un solo certificado RSA en vigor, de la empresa, de su representante o de sello. Sustituye al anterior, y los registros que esperaban por él se envían. La clave se guarda cifrada y no se devuelve nunca. Se rechaza si la contraseña no abre el fichero (parameter_invalid), o si el certificado es de otro NIF o no está en vigor (business_rule_violation). 30 y 7 días antes de que caduque se avisa en la configuración y por correo a la dirección de la empresa. De una empresa se lee un fichero a la vez: si ya esperan demasiados, company_share_exceeded.',
  transaction: 'own',
  mcp: false,
  irreversible: true,
  reaches_outside: true,
  body_limit: 196_608,
  body: Shape({
    pkcs12_base64: Text(base64Max, {
      minLength: 1,
      pattern: '^[A-Za-z0-9+/\\r\\n]+(={1,2}[\\r\\n]*)?$',
      pattern_message: 'Debe ser el fichero en base64.',
      description: 'El fichero .p12 o .pfx en base64, de 100 kB como máximo',
    }),
    password: Text(500, { description: 'Contraseña del fichero; vacía si no tiene' }),
  }),
  output: One(Certificate),
  errors: [c.business_rule_violation],
  examples: [
    {
      title: 'Un fichero .p12',
      body: { pkcs12_base64: 'MIIPeQIBAzCCDz8GCSqGSIb3DQEHAaCCDzAEgg8s', password: 'la del fichero' },
    },
  ],

  // Opening the file takes a tenth of a second or more. No connection should wait for it.
  prepare: ({ certificates, shares }, { body }, { company_id }) =>
    certificates
      .read(Buffer.from(body.pkcs12_base64, 'base64'), body.password, shares.ownerOf(company_id))
      .catch((error: unknown) => {
        throw turnRefusal(error, retrySeconds);
      }),

  async handle(ctx, _input, file) {
    const { tx, company, now, ports, audit } = ctx;
    if ('fault' in file) {
      refuseIssues([invalidField(file.is_password ? 'password' : 'pkcs12_base64', file.fault)]);
      throw new Error('A fault of a file is a refusal.');
    }
    const tax_id = checkHolder(ctx, file);
    await lockModes(tx, company.company_id);
    const previous = await findCertificate(tx, company.company_id);
    await retireCertificate(tx, company.company_id, now);
    const { private_key, certificates, ...facts } = file;
    const signer: Signer = { private_key, certificates };
    const id = newId();
    const sealed = ports.secrets.seal(JSON.stringify(signer), certificatePlace(company.company_id, id));
    await insertCertificate(tx, company.company_id, { ...facts, id, tax_id, sealed, created_at: now });
    audit({
      action: 'verifactu_certificate.uploaded',
      object: 'verifactu_certificate',
      object_id: id,
      details: {
        tax_id,
        fingerprint: facts.fingerprint,
        valid_until: facts.valid_until.toISOString(),
        replaced_id: previous?.id ?? null,
      },
    });
    for (const entry of await warnOfEnds(ctx)) audit(entry);
    await resumeWork(ctx);
    const row = await findCertificate(tx, company.company_id);
    if (!row) throw new Error('The certificate was not stored.');
    return { data: presentCertificate(row, ctx) };
  },
});

/**
 * @returns the certificate's tax id, which is the company's
 * @throws 422 business_rule_violation for another holder, or a certificate that is not in force
 */
function checkHolder({ company, now }: Ctx, { tax_id, valid_from, valid_until }: CertificateFile): string {
  const refuse = (reason: string): Problem =>
    fail(c.business_rule_violation, { param: 'pkcs12_base64', values: { reason } });
  const day = (instant: Date) => dayIn(company.time_zone, instant);
  if (tax_id === null) throw refuse('en el certificado no se encuentra ningún NIF.');
  if (tax_id !== company.tax_id)
    throw refuse(`el certificado es del NIF ${tax_id} y la empresa tiene el ${company.tax_id}.`);
  if (now >= valid_until) throw refuse(`el certificado caducó el ${day(valid_until)}.`);
  if (now < valid_from) throw refuse(`el certificado no vale hasta el ${day(valid_from)}.`);
  return tax_id;
}
