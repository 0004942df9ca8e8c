/** What the service says at a field: Spanish, whatever the language of the page. */
export function ServiceText({ children }: { children: string }) {
  return <span lang="es">{children}</span>;
}
