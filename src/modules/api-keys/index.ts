/** The account's API keys: their rows, credentials, rotation and revocation. */
export { getCompanyTier, getOpenedClock, insertApiKey, lockApiKey, setRevoked } from './api-keys.store.ts';
export { apiKeyErrors } from './api-keys.errors.ts';
export { scopeFault } from './rules/new-key.ts';
