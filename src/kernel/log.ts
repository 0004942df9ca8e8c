/** Where work tells what an operator should know; main brings it, a request's own or the service's. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
