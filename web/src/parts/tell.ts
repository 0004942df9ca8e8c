/** A short notice of what was done. Refusals stay where the act was: `Failure`. */
import { notifications } from '@mantine/notifications';

export function tell(message: string): void {
  notifications.show({ message, color: 'green' });
}
