/** The program. */
import './first-parent.ts';
import './quick-loading.cjs';

const { runProgram } = await import('./command-line.ts');
await runProgram();
