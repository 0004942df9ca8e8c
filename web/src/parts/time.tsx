import { Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { useCompanyZone } from '../app/company-details.ts';
import { useLanguage } from '../app/words.ts';
import { formatDay, formatDistance, formatExactly, formatInstant } from './dates.ts';

export function Day({ on }: { on: string | null }) {
  const words = useCommonWords();
  const language = useLanguage();
  return on === null ? words.none : <time dateTime={on}>{formatDay(on, language)}</time>;
}

type InstantProps = { at: string | null; is_distance?: boolean };

/** All in the company's zone. The exact moment is in the tip, which is made when somebody comes near: a list has many. */
export function Instant({ at, is_distance = false }: InstantProps) {
  const words = useCommonWords();
  const language = useLanguage();
  const zone = useCompanyZone();
  const [is_met, setMet] = useState(false);
  if (at === null) return words.none;
  const text = is_distance ? formatDistance(at, language, zone) : formatInstant(at, language, zone);
  if (!is_met)
    return (
      <time dateTime={at} onPointerEnter={() => setMet(true)}>
        {text}
      </time>
    );
  return (
    <Tooltip label={formatExactly(at, language, zone)} withArrow defaultOpened>
      <time dateTime={at}>{text}</time>
    </Tooltip>
  );
}
