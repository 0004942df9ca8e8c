/**
 * What operations and jobs use of the outside. A module's `ports.ts` adds its port by augmentation; `main/` joins it
 * with an implementation.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their ports to it
export interface Ports {}
