/**
 * What operations, issuing and jobs may use of the outside world. A module that needs some of it declares its port
 * here by augmentation (its `ports.ts`); `main/` brings the implementations of `integrations/`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their ports to it
export interface Ports {}
