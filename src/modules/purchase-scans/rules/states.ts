/** A reading under way is waited for: it cannot be archived. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates } from '../../../kernel/states.ts';

export const scanStatuses = ['uploaded', 'processing', 'processed', 'failed', 'archived'] as const;
export type ScanStatus = (typeof scanStatuses)[number];
export type ReadableStatus = Exclude<ScanStatus, 'archived'>;

/** A restore leads back to the status before. */
export type ScanMove = 'begin' | 'finish' | 'fail' | 'reprocess' | 'archive';

const no = c.invalid_status_transition;

export const scanStates = defineStates<ScanStatus, ScanMove>({
  uploaded: { begin: 'processing', finish: no, fail: no, reprocess: no, archive: 'archived' },
  processing: { begin: 'processing', finish: 'processed', fail: 'failed', reprocess: no, archive: no },
  processed: { begin: no, finish: no, fail: no, reprocess: 'uploaded', archive: 'archived' },
  failed: { begin: no, finish: no, fail: no, reprocess: 'uploaded', archive: 'archived' },
  archived: { begin: no, finish: no, fail: no, reprocess: no, archive: no },
});
