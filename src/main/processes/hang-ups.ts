/**
 * SIGHUP to the supervisor. It is watched from before the first process is started, and kept until it can be heeded: what is started
 * by then has the settings and the program of before. It would end the supervisor otherwise, or have no effect.
 */
import { isatty } from 'node:tty';

export type HangUps = {
  /** From now on `renew` is called for each, and at once for those that came before. */
  heed(renew: () => void): void;
  release(): void;
};

/** A terminal that is gone says SIGHUP too, and asks for an end. */
export function watchHangUps(): HangUps {
  const had_terminal = isatty(1);
  let heeded: (() => void) | null = null;
  let has_come = false;
  const onHangUp = () => {
    if (had_terminal && !isatty(1)) process.kill(process.pid, 'SIGTERM');
    else if (heeded) heeded();
    else has_come = true;
  };
  process.on('SIGHUP', onHangUp);
  return {
    heed(renew) {
      heeded = renew;
      if (!has_come) return;
      has_come = false;
      renew();
    },
    release: () => void process.off('SIGHUP', onHangUp),
  };
}
