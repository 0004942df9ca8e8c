/** What the test asks of Postman's library, whose package does not name its types. */
declare module 'postman-collection' {
  type List<T> = { all(): T[]; has(key: string): boolean };
  type Variable = { key: string; value: string };
  export type Url = { path: string[]; query: List<{ key: string }>; getPath(): string; getHost(): string };
  export type Item = {
    name: string;
    request: {
      method: string;
      description: unknown;
      url: Url;
      headers: List<Variable>;
      body?: { raw: string };
    };
  };
  export type Folder = { name: string; items: List<Item> };
  const library: {
    Collection: new (
      json: object,
    ) => { items: List<Folder>; variables: List<Variable>; auth?: { type: string } };
  };
  export default library;
}
