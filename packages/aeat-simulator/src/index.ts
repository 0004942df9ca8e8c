export { type Identity, makeCertificateAuthority } from './certificates.ts';
export type { Fault } from './faults.ts';
export { type MagicValue, magicValues, unknown_taxpayer_nif } from './magic-values.ts';
export { type SimulatorOptions, startSimulator } from './simulator.ts';
export { memoryStore, type SimulatorRow, type SimulatorStore } from './store.ts';
