import { dayIn } from '../../src/kernel/dates.ts';

/** As a company of the mainland sees it: it turns an hour before UTC's. */
export const yearAt = (now: Date): number => Number(dayIn('Europe/Madrid', now).slice(0, 4));
