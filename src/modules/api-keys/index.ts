export { isUsable, KeyName } from './api-keys.schema.ts';
export {
  findKeyNames,
  insertApiKey,
  listAllKeys,
  listKeyOwners,
  lockApiKey,
  moveCredentialClocks,
  readKeyTimes,
  setRevoked,
  updateCredentialPlans,
} from './api-keys.store.ts';
export type * from './ports.ts';
export { scopeFault } from './rules/new-key.ts';
