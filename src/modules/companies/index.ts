/** Companies: making them, their settings, plan and boost, and what an operator does with their keys. */
export { type CreatedCompany, CompanyRefused, createCompany } from './create-company.ts';
export { getIssuer, type Issuer } from './companies.store.ts';
export {
  boostCompany,
  createOperatorKey,
  listCompanies,
  revokeOperatorKey,
  setPlan,
} from './operate-companies.ts';
