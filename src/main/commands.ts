/** Every command. What one does is loaded when it runs, so that a command starts at once. */
import { backupCommands } from './backup-commands.ts';
import type { Command } from './command.ts';
import { companyCommands } from './company-commands.ts';
import { emailCommands } from './email-commands.ts';
import { keyCommands } from './key-commands.ts';
import { receiverCommands } from './receiver-commands.ts';
import { serviceCommands } from './service-commands.ts';
import { userCommands } from './user-commands.ts';
import { verifactuCommands } from './verifactu-commands.ts';

export const commands: readonly Command[] = [
  ...serviceCommands,
  ...companyCommands,
  ...keyCommands,
  ...userCommands,
  ...emailCommands,
  ...verifactuCommands,
  ...receiverCommands,
  ...backupCommands,
];
