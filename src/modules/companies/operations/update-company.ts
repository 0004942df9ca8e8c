/**
 * Issued documents keep the issuer as it was. After the first issue the tax id is part of legal records and
 * cannot change.
 */
import { defaultTaxKind } from '../../../domain/sales/default-tax.ts';
import { countryCodes } from '../../../domain/countries.ts';
import { isEmailAddress } from '../../../domain/email-address.ts';
import { type LogoImage, readLogo } from '../../../domain/printing/logo-image.ts';
import { parseIban } from '../../../domain/spain/iban.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { defineOperation, largestBody, type Tx } from '../../../kernel/operation.ts';
import { tierOf } from '../../../kernel/plans.ts';
import { type FieldIssue, fail } from '../../../kernel/problem.ts';
import { canBeRead, wrongName } from '../../../kernel/readable-name.ts';
import { changedKeys, invalidField, refuseIssues, writableOf } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { Company, CompanyInput, type CompanyRow, companyReadOnly, present } from '../companies.schema.ts';
import { hasIssued, lockCompany, updateCompany as updateRow } from '../companies.store.ts';
import { keepLogo, logoHash, logosMax } from '../logos.ts';

const taxIdChanged = 'La empresa ha cambiado de NIF.';

export const updateCompany = defineOperation({
  name: 'update_company',
  method: 'PUT',
  path: '/v1/account/company',
  scope: 'account:write',
  tag: 'account',
  summary: 'Cambia los datos y ajustes de la empresa.',
  description:
    'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra; los objetos se sustituyen enteros, salvo default_vat y default_validity_days, de los que solo cambian los tipos enviados. Las facturas ya emitidas conservan los datos con los que se emitieron. El NIF no puede cambiar después de haber emitido facturas (business_rule_violation), y con otro NIF acaba la representación: si la hubo, hay que registrar la de ese NIF. Queda en el registro de auditoría. Para no perder nada de un objeto, léalo antes con get_company.',
  transaction: 'own',
  mcp: true,
  body_limit: largestBody,
  body: CompanyInput,
  output: One(Company),
  errors: [c.business_rule_violation],
  examples: [{ title: 'IVA por omisión en las facturas', body: { default_vat: { invoice: 21 } } }],

  async handle({ tx, caller, company, now, today, realNow, audit, enqueue, ports }, { body }) {
    const current = await lockCompany(tx, caller.company_id);
    const shown = present(current, tierOf(current, realNow()));
    const { default_vat, default_validity_days, tax_id, iban, ...rest } = writableOf(
      body,
      shown,
      companyReadOnly,
    );
    const issues: FieldIssue[] = [];

    if (typeof rest.name === 'string' && rest.name !== current.name && !canBeRead(rest.name))
      issues.push(invalidField('name', wrongName));
    const parsed = tax_id === undefined ? undefined : parseSpanishTaxId(tax_id);
    if (tax_id !== undefined && !parsed) issues.push(invalidField('tax_id', 'No es un NIF válido.'));
    const account = iban === undefined || iban === null ? iban : parseIban(iban);
    if (typeof iban === 'string' && account === undefined)
      issues.push(invalidField('iban', 'No es un IBAN válido.'));
    const country = body.address?.country;
    if (country && !countryCodes.has(country))
      issues.push(invalidField('address.country', 'No es un código de país ISO 3166-1.'));
    if (typeof rest.email === 'string' && !isEmailAddress(rest.email)) {
      issues.push(invalidField('email', 'No es una dirección de correo válida.'));
    }
    const { logo } = rest;
    const image = typeof logo === 'string' && isLogoNew(logo, current) ? readLogo(logo) : undefined;
    // A logo stored before these checks may be sent back.
    if (image && 'fault' in image && logo !== current.logo) issues.push(invalidField('logo', image.fault));
    refuseIssues(issues);
    if (parsed && parsed.value !== current.tax_id && (await hasIssued(tx, caller.company_id))) {
      const reason = 'el NIF no puede cambiar después de haber emitido facturas.';
      throw fail(c.business_rule_violation, { param: 'tax_id', values: { reason } });
    }

    const next: CompanyRow = { ...current };
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined) Object.assign(next, { [name]: value });
    }
    if (parsed) next.tax_id = parsed.value;
    if (iban !== undefined) next.iban = account ?? null;
    if (default_vat) {
      const { tax_kind = defaultTaxKind(current.default_vat), ...sent } = default_vat;
      const rates = Object.entries(sent as Record<string, DecimalInput | null>).map(
        ([kind, rate]) => [kind, rate === null ? null : numberText(rate)] as const,
      );
      next.default_vat = { ...current.default_vat, ...Object.fromEntries(rates), tax_kind };
    }
    if (default_validity_days)
      next.default_validity_days = Object.assign({}, current.default_validity_days, default_validity_days);
    // No reminders for what was due before they were enabled.
    if (next.reminders?.enabled && !current.reminders?.enabled) next.reminders_through = today;
    const keys = changedKeys(shown, present(next, shown.tier));
    if (next.logo === null) next.logo_hash = null;
    if (image && !('fault' in image)) next.logo_hash = await storeLogo(tx, current.company_id, image, now);
    const is_logo_kept = next.logo === null || next.logo_hash === current.logo_hash;
    if (keys.length === 0 && is_logo_kept) return { data: shown };
    next.updated_at = now;
    await updateRow(tx, next);
    // Work at an hour of the company's zone moves to another instant.
    if (next.time_zone !== current.time_zone) {
      enqueue('recurring_invoices.rezone', {});
      if (company.verifactu_next_on !== null) enqueue('verifactu.change_mode', {});
    }
    audit({ action: 'company.updated', object: 'company', object_id: current.company_id, details: { keys } });
    if (next.tax_id !== current.tax_id) {
      // Whom it was given for is another by now, as with a certificate.
      const ended = await ports.representations.end(tx, current.company_id, taxIdChanged, now);
      if (ended) audit(ended);
    }
    return { data: present(next, tierOf(next, realNow())) };
  },
});

/** Its bytes are not stored yet. */
function isLogoNew(logo: string, current: CompanyRow): boolean {
  return logo !== current.logo || current.logo_hash === null;
}

/** @throws 422 business_rule_violation when the company has had too many logos */
async function storeLogo(tx: Tx, company_id: string, image: LogoImage, now: Date): Promise<string> {
  if (await keepLogo(tx, company_id, image, now)) return logoHash(image);
  const reason = `la empresa ha tenido ya ${logosMax} logotipos distintos, y todos se conservan.`;
  throw fail(c.business_rule_violation, { param: 'logo', values: { reason } });
}
