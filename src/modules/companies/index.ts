export { type CreatedCompany, CompanyRefused, createCompany } from './create-company.ts';
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
  revokeOperatorKey,
  setPlan,
} from './operate-companies.ts';
