/** In which state something is. Lists have one in each row, so it is a plain element whose colours are asked for once. */
import { type MantineTheme, useMantineTheme } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './state.module.css';

type Props = { color?: string; children: ReactNode };

const known = new WeakMap<MantineTheme, Map<string, CSSProperties>>();

function coloursOf(theme: MantineTheme, color: string): CSSProperties {
  const colours = known.get(theme) ?? new Map<string, CSSProperties>();
  known.set(theme, colours);
  const found = colours.get(color);
  if (found) return found;
  const resolved = theme.variantColorResolver({ theme, color, variant: 'light' });
  const made = { background: resolved.background, color: resolved.color };
  colours.set(color, made);
  return made;
}

export function State({ color, children }: Props) {
  const theme = useMantineTheme();
  return (
    <span className={classes.state} style={coloursOf(theme, color ?? theme.primaryColor)}>
      {children}
    </span>
  );
}
