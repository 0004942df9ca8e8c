/** The account's API keys: rows, credentials, rotation and revocation. */
export {
  findKeyNames,
  getOpenedClock,
  insertApiKey,
  lockApiKey,
  moveCredentialClocks,
  setRevoked,
} from './api-keys.store.ts';
export { scopeFault } from './rules/new-key.ts';
