import type { Installation } from './installation.ts';
import type { ServiceProcess } from './service-process.ts';

/** The npm that runs this test, or the one in PATH. */
export function npm(place: Installation, args: string[], env: Record<string, string> = {}): ServiceProcess {
  const cli = process.env.npm_execpath;
  return cli ? place.spawn(process.execPath, [cli, ...args], env) : place.spawn('npm', args, env);
}
