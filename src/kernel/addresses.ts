/** Where people and programs reach the service. Each is known once the service listens. */
export type Addresses = {
  /** Of the API and the pages of companies and people. */
  public_url(): string;
  /** The base of `/docs` and `/openapi.json`: `public_url`, unless they have an address of their own. */
  docs_url(): string;
};
