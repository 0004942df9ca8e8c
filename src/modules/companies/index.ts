export {
  type CreatedCompany,
  CompanyRefused,
  createCompany,
  insertPrepared,
  isCompanyName,
  prepareCompany,
  type PreparedCompany,
} from './create-company.ts';
export {
  getIssuer,
  findPrintingIssuer,
  isOneOfMany,
  type Issuer,
  issuerSnapshot,
  findReminders,
  lockReminders,
  readSettingsVersion,
  setRemindersThrough,
} from './companies.store.ts';
export { ensureRealDays } from './companies.jobs.ts';
export { findLogo } from './logos.ts';
export type { RepresentationsPort } from './ports.ts';
export {
  boostCompany,
  createOperatorKey,
  findByTaxId,
  findIncomplete,
  listCompanies,
  listFewCompanies,
  listOperatorKeys,
  revokeOperatorKey,
  setPlan,
  showCompany,
} from './operate-companies.ts';
