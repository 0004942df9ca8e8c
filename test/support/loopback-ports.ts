/** Lets a service reach webhook receivers on loopback. A service that delivers loads this, not test-receiver.ts. */
import { makeReceivers } from '../../src/integrations/webhooks/receivers.ts';
import type { Ports } from '../../src/kernel/ports.ts';

export const loopbackRanges = ['127.0.0.1', '::1'];

/** Allows receivers on loopback with certificates of that issuer. */
export function loopbackPorts(issuer: string): (ports: Ports) => Ports {
  return (ports) => {
    const { source_ips } = ports.receivers;
    return { ...ports, receivers: makeReceivers({ allowed_ranges: loopbackRanges, source_ips, ca: issuer }) };
  };
}
