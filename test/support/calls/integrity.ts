import type { Calls } from './seed.ts';

export const integrityCalls: Calls = {
  check_verifactu_integrity: () => ({ body: { from_position: 1, to_position: 2 } }),
};
