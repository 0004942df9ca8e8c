/** /llms.txt: what an agent reads first, with the Markdown of every page (llmstxt.org). */
import { markdownPath } from './html.ts';
import type { SitePage } from './site.ts';

const sections: Record<SitePage['section'], string> = {
  start: 'Start',
  guides: 'Guides',
  reference: 'Reference',
  more: 'More',
};

export function llmsTxt(
  pages: readonly SitePage[],
  { public_url, docs_url }: { public_url: string; docs_url: string },
): string {
  const line = ({ path, title, about }: SitePage) =>
    `- [${title}](${docs_url}${markdownPath(path)})${about === '' ? '' : `: ${about}`}`;
  const parts = Object.entries(sections).map(([section, title]) => {
    const found = pages.filter((page) => page.section === section);
    return found.length === 0 ? '' : `\n## ${title}\n\n${found.map(line).join('\n')}\n`;
  });
  return `# Folio

> Invoicing for companies in Spain: an HTTP/JSON API at ${public_url}/v1. Each call sends \`Authorization: Bearer <key>\`; keys that begin
> with \`svc_test_\` work in a sandbox. Every page below is Markdown; without \`.md\` it is the same page for people.

- [OpenAPI 3.1](${docs_url}/openapi.json): the whole contract
- [Event schemas](${docs_url}/docs/event-schemas.json): JSON Schema of what events carry
- [Tools over MCP](${docs_url}/docs/mcp.md): how an agent calls the same operations as tools
${parts.join('')}`;
}
