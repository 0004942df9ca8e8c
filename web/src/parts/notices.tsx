import { Notifications } from '@mantine/notifications';

/** Over the shade of a dialog, where its cross can be pressed, and below the dialog, whose buttons it may not cover. */
const zIndex = 199;

export default function Notices() {
  return <Notifications zIndex={zIndex} position="bottom-right" limit={3} />;
}
