/**
 * The one place of colours and sizes. Mantine's own colours have too little contrast in places (WCAG 2.2, 1.4.3), and
 * some of its buttons have no name; both are put right here.
 */
import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineThemeOverride,
  parseThemeColor,
  type VariantColorsResolver,
} from '@mantine/core';

/** `scheme-first.js` reads it before the first paint. */
export const schemeManager = localStorageColorSchemeManager({ key: 'folio-scheme' });

/** Variants whose text stands on a tint of its own colour, or on the page: darker in light, lighter in dark. */
const tinted = ['light', 'subtle', 'outline', 'transparent'];

const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const { theme, variant } = input;
  const { color, isThemeColor } = parseThemeColor({ color: input.color ?? theme.primaryColor, theme });
  if (!isThemeColor || color === 'dark' || !tinted.includes(variant)) return resolved;
  const shade = (of: number) => `var(--mantine-color-${color}-${of})`;
  const words = `light-dark(color-mix(in srgb, ${shade(9)}, #000 45%), ${shade(2)})`;
  if (variant !== 'light') return { ...resolved, color: words };
  // Dark grey would be no tint of a dark page.
  const tint = `color-mix(in srgb, ${shade(color === 'gray' ? 5 : 8)} 24%, var(--mantine-color-body))`;
  return { ...resolved, color: words, background: `light-dark(${shade(1)}, ${tint})` };
};

export const variablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-3)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
  },
});

type Names = { close: string; show_password: string };

export function makeTheme({ close, show_password }: Names): MantineThemeOverride {
  const named = { 'aria-label': close };
  return createTheme({
    primaryColor: 'indigo',
    primaryShade: 8,
    autoContrast: true,
    respectReducedMotion: true,
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
    fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Liberation Mono", monospace',
    headings: { fontWeight: '650', textWrap: 'balance' },
    variantColorResolver,
    // By name: to import the parts would put all of them into the first load.
    components: {
      // A state is read whole, however narrow its column.
      Badge: {
        styles: { root: { maxWidth: 'none' }, label: { overflow: 'visible' } },
        defaultProps: { tt: 'none' },
      },
      ActionIcon: { defaultProps: { variant: 'subtle', size: 'lg' } },
      Alert: { defaultProps: { closeButtonLabel: close } },
      CloseButton: { defaultProps: named },
      // A dialog's head is no banner of the page.
      ModalHeader: { defaultProps: { role: 'presentation' } },
      // What opens stays beside what opened it, within the same landmark, and is not cut by what scrolls.
      Menu: {
        defaultProps: { withinPortal: false, floatingStrategy: 'fixed', withInitialFocusPlaceholder: false },
      },
      Popover: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
      Combobox: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
      Modal: {
        // What is told of an act stands between the shade and the dialog (`parts/notices.tsx`).
        defaultProps: { closeButtonProps: named, centered: true, overlayProps: { zIndex: 198 } },
        styles: { title: { fontWeight: 650 } },
      },
      // Inputs beside one another are at one height, whatever is said of them.
      InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
      NumberInput: { defaultProps: { hideControls: true } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': show_password } } },
      Kbd: { styles: { root: { whiteSpace: 'nowrap' } } },
      Fieldset: { styles: { legend: { fontWeight: 600 } } },
      Table: { defaultProps: { verticalSpacing: 'sm' } },
      Tooltip: {
        defaultProps: {
          events: { hover: true, focus: true, touch: true },
          withinPortal: false,
          floatingStrategy: 'fixed',
        },
      },
    },
  });
}
