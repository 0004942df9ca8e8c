/** What scopes allow, in words, each beside its code. */
import { Code, List } from '@mantine/core';
import { useLanguage } from '../app/words.ts';
import { scopeGroups } from '../printed/scopes.ts';

const described = new Map(
  scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope, description }) => [scope, description] as const)),
);

/** @param of with a colon, or with a dot as applications name them */
export function ScopeList({ of }: { of: readonly string[] }) {
  const language = useLanguage();
  return (
    <List spacing={4}>
      {of.map((scope) => (
        <List.Item key={scope}>
          {described.get(scope.replace('.', ':'))?.[language]} <Code>{scope}</Code>
        </List.Item>
      ))}
    </List>
  );
}
