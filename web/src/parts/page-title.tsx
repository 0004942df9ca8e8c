/** The heading of a page. It is focused when people come here from another page, and names the tab. */
import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { CompanyContext } from '../app/company.ts';

type Props = { children: string; text?: ReactNode; actions?: ReactNode; above?: ReactNode };

let is_first = true;

/** Tabs of the sandbox say so. Outside of a company there is none. */
function useSandboxMark(): string {
  const { sandbox } = useCommonWords();
  return useContext(CompanyContext)?.environment === 'test' ? `${sandbox.bar} · ` : '';
}

export function PageTitle({ children, text, actions, above }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const mark = useSandboxMark();
  useEffect(() => {
    document.title = `${mark}${children} · Folio`;
  }, [children, mark]);
  useEffect(() => {
    if (!is_first) heading.current?.focus({ preventScroll: true });
    is_first = false;
  }, []);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Box flex="1 1 18rem" miw={0}>
        {above}
        <Title order={1} ref={heading} tabIndex={-1} fz="h2">
          {children}
        </Title>
        {text && (
          <Text c="dimmed" mt={4} maw="48rem" style={{ textWrap: 'pretty' }}>
            {text}
          </Text>
        )}
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
