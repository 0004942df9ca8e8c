/** For parts that call nothing outside. */
import type { Ports } from '../../src/kernel/ports.ts';

export const noPorts = {} as Ports;
