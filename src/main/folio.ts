/** The program. */
import './first-parent.ts';
import './quick-loading.cjs';

await import('./command-line.ts');
