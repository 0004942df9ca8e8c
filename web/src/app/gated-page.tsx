/** A page that role or environment close says so, instead of failing. */
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useCommonWords } from './common-words.ts';
import { type CurrentCompany, operationRefusal, type Refusal, useCurrentCompany } from './company.ts';
import type { PageDefinition } from './page.ts';
import { PageNameContext } from './page-name.ts';
import { useLanguage } from './words.ts';

export function pageRefusal({ asks, environment }: PageDefinition, company: CurrentCompany): Refusal | null {
  if (environment !== undefined && environment !== company.environment)
    return environment === 'live' ? 'sandbox' : 'live';
  return asks === undefined ? null : operationRefusal(asks, company);
}

type Props = { page: PageDefinition; path: string; children: ReactNode };

export function GatedPage({ page, path, children }: Props) {
  const company = useCurrentCompany();
  const language = useLanguage();
  const own = page.route_asks?.[path];
  const refused = pageRefusal(page, company) ?? (own === undefined ? null : operationRefusal(own, company));
  return (
    <PageNameContext value={page.title[language]}>
      {refused === null ? children : <Closed page={page} refused={refused} />}
    </PageNameContext>
  );
}

function Closed({ page, refused }: { page: PageDefinition; refused: Refusal }) {
  const { failure } = useCommonWords();
  const language = useLanguage();
  const texts: Record<Refusal, string> = {
    role: failure.not_allowed_text,
    plan: failure.not_allowed_text,
    sandbox: failure.not_here_live,
    live: failure.not_here_test,
  };
  return (
    <>
      <PageTitle>{page.title[language]}</PageTitle>
      <EmptyState
        icon="lock"
        title={refused === 'role' ? failure.not_allowed_title : texts[refused]}
        text={refused === 'role' ? texts.role : ''}
      />
    </>
  );
}
