/** One of several processes of the service, as its supervisor starts it. */
import '../quick-loading.cjs';

// The supervisor is told, and tells its processes: a terminal and a service manager send a signal to all of them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const { runProcess } = await import('./process.ts');
// What serves callers is loaded now, and not once the database is there.
if (process.argv[2] === 'api') await import('../surfaces.ts');
runProcess();
