/** A short notice of what was done. Refusals stay where the act was: `Failure`. */
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

export function tell(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** What was done is not all that was wanted. It stays until it is closed. */
export function warn(message: ReactNode): void {
  notifications.show({ message, color: 'orange', autoClose: false });
}
