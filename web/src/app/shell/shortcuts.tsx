/** Keys of every page. The palette is fetched when the page rests, the help with its first use. */
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { later } from '../later.tsx';
import { useGo } from '../navigate.tsx';
import { firstPath } from '../page.ts';
import { useOpenPages } from './navigation.tsx';
import { useTwin } from './twin.ts';

const [Palette, usePaletteAtRest] = later(() => import('./palette.tsx'));
const [KeyHelp] = later(() => import('./key-help.tsx'));

const paletteEvent = 'folio-palette';
const afterG_ms = 1500;

export function openPalette(): void {
  dispatchEvent(new Event(paletteEvent));
}

/** Single keys can be turned off (WCAG 2.2, 2.1.4). */
export const useSingleKeys = () => useLocalStorage({ key: 'folio-single-keys', defaultValue: true });

export function Shortcuts() {
  const [is_palette_open, palette] = useDisclosure(false);
  const [is_help_open, help] = useDisclosure(false);
  const [query, setQuery] = useState('');
  useEffect(() => {
    addEventListener(paletteEvent, palette.open);
    return () => removeEventListener(paletteEvent, palette.open);
  }, [palette.open]);
  const close = () => {
    palette.close();
    setQuery('');
  };
  // Typing right after the key is meant for the palette.
  usePaletteAtRest();
  useEarlyLetters(is_palette_open, setQuery);
  useKeys(palette.open, help.open, is_palette_open);
  return (
    <>
      {is_palette_open && <Palette close={close} openHelp={help.open} query={query} setQuery={setQuery} />}
      {is_help_open && <KeyHelp close={help.close} />}
    </>
  );
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}

type Change = (change: (query: string) => string) => void;

/** What is typed for the palette before its field is there. Another field may have the focus until then. */
function useEarlyLetters(is_open: boolean, change: Change): void {
  useEffect(() => {
    if (!is_open) return;
    const hear = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
      const { key, target } = event;
      if (target instanceof Element && target.closest('[role="dialog"]')) return;
      if (key === 'Backspace') change((query) => [...query].slice(0, -1).join(''));
      else if ([...key].length === 1) change((query) => query + key);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [is_open, change]);
}

const isCovered = () => document.querySelector('[aria-modal="true"]') !== null;

/** @param is_search_open its field may not be there yet: what is typed until then is no key of the page */
function useKeys(openSearch: () => void, openHelp: () => void, is_search_open: boolean): void {
  const [are_on] = useSingleKeys();
  const run = useSingleKeyRun(openHelp);
  const wanted = useRef(run);
  useEffect(() => {
    wanted.current = run;
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
        event.preventDefault();
        openSearch();
        return;
      }
      if (!are_on || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (is_search_open || isTyping(event.target) || isCovered()) return;
      if (wanted.current(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [are_on, openSearch, is_search_open]);
}

/** @returns what takes a key, and says whether it was of use */
function useSingleKeyRun(openHelp: () => void): (key: string) => boolean {
  const open = useOpenPages();
  const go = useGo();
  const navigate = useNavigate();
  const twin = useTwin();
  const g_at = useRef(0);
  return (key) => {
    if (Date.now() - g_at.current < afterG_ms) {
      g_at.current = 0;
      const page = open.find(({ letter }) => letter === key.toLowerCase());
      if (page) go(firstPath(page));
      return page !== undefined;
    }
    if (key === 'g') g_at.current = Date.now();
    else if (key === '?') openHelp();
    else if (key === '/') return focusSearch();
    else if (key === 't' && twin !== null) void navigate({ to: twin } as never);
    else return false;
    return true;
  };
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-list-search]');
  field?.focus();
  field?.select();
  return field !== null;
}
