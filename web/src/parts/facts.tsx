/** Names and values of one thing, and the sections of its page. */
import { Box, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = { name: string; value: ReactNode };

export function Facts({ facts, columns = 2 }: { facts: readonly Fact[]; columns?: number }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: columns }} spacing="md" verticalSpacing="sm" m={0}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Box component="dd" m={0}>
            {value}
          </Box>
        </div>
      ))}
    </SimpleGrid>
  );
}

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode };

export function Section({ title, actions, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} mb="lg">
      <Box
        mb="md"
        style={{ display: 'flex', gap: '0.75rem', flexWrap: 'wrap', justifyContent: 'space-between' }}
      >
        <Title order={2} fz="h4">
          {title}
        </Title>
        {actions}
      </Box>
      {children}
    </Paper>
  );
}
