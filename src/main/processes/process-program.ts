/** One of several processes of the service, as its supervisor starts it. */
import '../quick-loading.cjs';

// Signals are ignored here: a terminal and a service manager send them to all processes, and the supervisor passes them
// on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const { runProcess } = await import('./process.ts');
// Loads the code that serves callers now, not once the database is there.
if (process.argv[2] === 'api') await import('../surfaces.ts');
runProcess();
