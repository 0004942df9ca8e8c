import { TextInput, type TextInputProps } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { useLanguage } from '../app/words.ts';
import { currencySign, formatMoney, readAmount } from './money.ts';
import { formatPrice } from './prices.ts';

type MoneyFieldProps = TextInputProps & { value: string; currency?: string };

/** An amount as it is typed; `readAmount` turns it into the number's text when it is sent. */
export function MoneyField({ currency = 'EUR', ...props }: MoneyFieldProps) {
  const { form } = useCommonWords();
  const language = useLanguage();
  const sign = currencySign(currency, language);
  const is_bad = props.value.trim() !== '' && readAmount(props.value, language) === null;
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={sign}
      {...(sign.length > 1 ? { rightSectionWidth: '3rem' } : {})}
      rightSectionPointerEvents="none"
      {...props}
      error={props.error ?? (is_bad ? form.money_bad : undefined)}
    />
  );
}

export function Money({ amount, currency = 'EUR' }: { amount: number | null; currency?: string }) {
  const words = useCommonWords();
  const language = useLanguage();
  if (amount === null) return words.none;
  return <span style={{ whiteSpace: 'nowrap' }}>{formatMoney(amount, language, currency)}</span>;
}

/** With all its decimals. */
export function Price({ price, currency = 'EUR' }: { price: number; currency?: string }) {
  const language = useLanguage();
  return <span style={{ whiteSpace: 'nowrap' }}>{formatPrice(price, language, currency)}</span>;
}
