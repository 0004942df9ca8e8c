/** The authority simulator as others see it. */
export type { Holder, Identity, IdentityKind } from './certificates.ts';
export type { Fault, FaultKind, Faults } from './faults.ts';
export { type MagicValue, magicValues, unknown_taxpayer_nif } from './magic-values.ts';
export type { LoggedMessage } from './message-log.ts';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
export {
  type HeldState,
  memoryStore,
  type SimulatorPage,
  type SimulatorRow,
  type SimulatorStore,
} from './store.ts';
