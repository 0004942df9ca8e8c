/** The service's reader of scans with more time: on a loaded machine a photograph needs more than its ten seconds. */
import { makeScanReader, type ScanReader } from '../../src/integrations/scans/scan-reader.ts';
import type { StartOptions } from '../harness.ts';

/** The caller closes it. */
export function patientReader(start?: Parameters<typeof makeScanReader>[1]): ScanReader {
  return makeScanReader({ seconds_max: 120, start_seconds_max: 120 }, start);
}

export function readingWith(scan_reader: ScanReader): StartOptions {
  return { wrap_ports: (ports) => ({ ...ports, scan_reader }) };
}
