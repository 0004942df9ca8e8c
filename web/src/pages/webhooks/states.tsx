import { Text } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { Delivery, Endpoint } from './calls.ts';
import { webhookWords } from './words.ts';
import { State } from '../../parts/state.tsx';

/** An address without a space, on a narrow screen. */
export function Breaking({ children }: { children: string }) {
  return (
    <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

export function EndpointState({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const [color, text] =
    of.status === 'disabled'
      ? ['gray', words.disabled]
      : of.failing_since === null
        ? ['green', words.enabled]
        : ['red', words.failing];
  return <State color={color}>{text}</State>;
}

const colors = { queued: 'gray', delivered: 'green', failed: 'orange', failed_permanently: 'red' } as const;

export function DeliveryState({ of }: { of: Delivery['status'] }) {
  const words = useWords(webhookWords);
  return <State color={colors[of]}>{words.statuses[of]}</State>;
}
