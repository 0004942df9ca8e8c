/** A button, its question with number and amount, and the act. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { type IconName, Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import type { Fact } from '../../parts/facts.tsx';
import { Money } from '../../parts/money-field.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { invoiceWords } from './words.ts';

type Props = {
  action: string;
  title: string;
  text: ReactNode;
  icon?: IconName;
  facts: readonly Fact[];
  /** Answers whether it was done; the question then closes. */
  act(): Promise<boolean>;
  is_running: boolean;
  error: Error | null;
  clear(): void;
  /** Puts what is asked for beside it back as it was at first. */
  begin?(): void;
  is_reversible?: boolean;
  is_danger?: boolean;
  is_small?: boolean;
  /** For readers, where several buttons say the same. */
  name?: string;
  type_name?: string | undefined;
  /** Of what is sent, those whose faults its fields tell. */
  fields?: readonly string[];
  children?: ReactNode;
};

export function Ask(props: Props) {
  const { action, title, text, icon, facts, act, is_running, error, clear, is_danger = false } = props;
  const [is_open, question] = useDisclosure(false);
  const openings = useRef(0);
  const confirm = async () => {
    const own = openings.current;
    // Who closed it meanwhile may have opened it for another.
    if ((await act()) && openings.current === own) question.close();
  };
  return (
    <>
      <Button
        variant={is_danger ? 'light' : 'default'}
        {...(is_danger ? { color: 'red' } : {})}
        size={props.is_small ? 'compact-sm' : 'sm'}
        leftSection={icon && <Icon name={icon} size={16} />}
        aria-label={props.name}
        onClick={() => {
          clear();
          openings.current += 1;
          question.open();
        }}
      >
        {action}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={title}
        text={text}
        facts={facts}
        action={action}
        confirm={() => void confirm()}
        begin={props.begin}
        fields={props.fields}
        is_running={is_running}
        error={error}
        is_reversible={props.is_reversible ?? false}
        {...(props.type_name === undefined ? {} : { type_name: props.type_name })}
      >
        {props.children}
      </Confirm>
    </>
  );
}

export function useNamed(of: Invoice): Fact[] {
  const words = useWords(invoiceWords);
  return [
    { name: words.number, value: of.number ?? words.draft },
    { name: words.client, value: of.client?.name ?? words.no_client },
    { name: words.total, value: <Money amount={of.total} currency={of.currency} /> },
  ];
}
