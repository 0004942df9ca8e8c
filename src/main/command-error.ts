/** What cannot be done with the data at hand: exit code 1. The message is for the person at the terminal. */
export class CommandError extends Error {}

/** The command is written wrongly: exit code 2, as shells and scripts expect. The message says how to use it. */
export class UsageError extends CommandError {}
