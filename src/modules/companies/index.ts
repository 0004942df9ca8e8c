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
  lockReminders,
  readSettingsVersion,
  setRemindersThrough,
} from './companies.store.ts';
export { findLogo } from './logos.ts';
export {
  boostCompany,
  createOperatorKey,
  findWithoutAddress,
  listCompanies,
  listFewCompanies,
  revokeOperatorKey,
  setPlan,
} from './operate-companies.ts';
