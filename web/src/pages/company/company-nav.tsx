/** The parts of the page, each with its own address. */
import { Button, Group } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { companyWords } from './words.ts';

export function CompanyNav() {
  const words = useWords(companyWords);
  const can = useCan();
  const { id } = useCurrentCompany();
  const own = useLocation().pathname.slice(id.length + 1);
  const parts = [
    { to: '/company', title: words.data, is_open: true },
    { to: '/company/series', title: words.series, is_open: can('list_series') },
    { to: '/company/taxes', title: words.taxes, is_open: can('list_taxes') },
    { to: '/company/plan', title: words.plan, is_open: true },
  ];
  return (
    <Group component="nav" aria-label={words.parts} gap="xs" mb="lg">
      {parts
        .filter(({ is_open }) => is_open)
        .map(({ to, title }) => (
          <Button
            key={to}
            component={PageLink}
            to={to}
            size="compact-md"
            variant={own === to ? 'light' : 'subtle'}
          >
            {title}
          </Button>
        ))}
    </Group>
  );
}
