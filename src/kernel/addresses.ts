/** Where people and programs reach the service. Each is known once the service listens. */
export type Addresses = {
  /** Of the API and the pages of companies and people. */
  public_url(): string;
  /** The base of `/docs` and `/openapi.json`: `public_url`, unless they have an address of their own. */
  docs_url(): string;
};

/** For an operator. It follows the name of a setting, and tells nothing of a password that stands in the address. */
export const signsToEncode =
  'cannot be read as an address: the signs # % / ? of user and password are percent-encoded there, # as %23';
