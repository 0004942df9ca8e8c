/** Pages and actions by name. */
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCommonWords } from '../common-words.ts';
import { useSession } from '../session.tsx';
import { Icon } from '../icons.tsx';
import { useGo } from '../navigate.tsx';
import { firstPath } from '../page.ts';
import { useLanguage } from '../words.ts';
import { useOpenPages } from './navigation.tsx';
import { useTwin } from './twin.ts';
import { useCurrentCompany } from '../company.ts';

/** Drawn at once: a person may have thousands of companies. */
const shownMax = 60;

type Props = {
  close(): void;
  openHelp(): void;
  /** It may have been typed before the palette was there. */
  query: string;
  setQuery(query: string): void;
};

export default function Palette({ close, openHelp, query, setQuery }: Props) {
  const { palette } = useCommonWords();
  const groups = usePaletteActions(openHelp);
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      limit={shownMax}
      onSpotlightClose={close}
      nothingFound={palette.empty}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight="60vh"
      attributes={{ content: { 'aria-label': palette.open } }}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: palette.placeholder,
        'aria-label': palette.placeholder,
        onKeyDown: (event) => {
          if (event.key === 'Enter' && query !== '') takeFirst(event.currentTarget);
        },
      }}
    />
  );
}

/** The first is chosen by each letter that is typed in the field, not by those that were typed before it was there. */
function takeFirst(field: HTMLElement): void {
  const palette = field.closest('[role="dialog"]');
  if (palette?.querySelector('[data-action][data-selected]')) return;
  palette?.querySelector<HTMLElement>('[data-action]')?.click();
}

function usePaletteActions(openHelp: () => void) {
  const { palette, keys, sandbox, company } = useCommonWords();
  const language = useLanguage();
  const open = useOpenPages();
  const go = useGo();
  const navigate = useNavigate();
  const twin = useTwin();
  const { environment, live_id } = useCurrentCompany();
  const { session } = useSession();
  const toPages = open.map((page) => ({
    id: page.id,
    label: page.title[language],
    keywords: [page.title.es, page.title.en],
    leftSection: <Icon name={page.icon} />,
    onClick: () => go(firstPath(page)),
  }));
  const toTwin = {
    id: 'twin',
    label: environment === 'live' ? sandbox.to_test : sandbox.to_live,
    leftSection: <Icon name="flask" />,
    onClick: () => void navigate({ to: twin ?? '/' } as never),
  };
  const help = { id: 'help', label: keys.title, leftSection: <Icon name="info" />, onClick: openHelp };
  const toCompanies = session.companies
    .filter(({ id }) => id !== live_id)
    .map(({ id, name, tax_id }) => ({
      id,
      label: name ?? tax_id,
      description: tax_id,
      keywords: withoutAccents(name ?? ''),
      leftSection: <Icon name="company" />,
      onClick: () => void navigate({ to: `/${id}` } as never),
    }));
  return [
    { group: palette.go, actions: toPages },
    { group: palette.do, actions: twin === null ? [help] : [toTwin, help] },
    ...(toCompanies.length === 0 ? [] : [{ group: company.choose, actions: toCompanies }]),
  ];
}

/** For who types none. */
function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
