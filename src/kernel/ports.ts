/**
 * What operations and jobs may use of the outside. A module declares its port here by augmentation (its `ports.ts`);
 * `main/` joins it with an implementation.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their ports to it
export interface Ports {}
