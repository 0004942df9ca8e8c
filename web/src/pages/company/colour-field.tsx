import { TextInput, type TextInputProps } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { companyWords } from './words.ts';

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** Typed, or picked in the browser's own way. */
export function ColourField({
  choose,
  ...field
}: TextInputProps & { value: string; choose(colour: string): void }) {
  const words = useWords(companyWords);
  return (
    <TextInput
      label={words.colour}
      description={words.colour_hint}
      placeholder="#1A2B3C"
      maxLength={7}
      autoComplete="off"
      leftSection={
        <input
          type="color"
          aria-label={words.colour_pick}
          value={isColour(field.value) ? field.value : '#ffffff'}
          onChange={(event) => choose(event.currentTarget.value.toUpperCase())}
          style={{
            width: '1.5rem',
            height: '1.5rem',
            padding: 0,
            border: '1px solid var(--folio-edge)',
            background: 'none',
          }}
        />
      }
      {...field}
    />
  );
}
