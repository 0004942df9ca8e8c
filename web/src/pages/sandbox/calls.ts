import type { Email as EmailSchema, EmailListItem } from '../../../../src/modules/emails/emails.schema.ts';
import type { SandboxClock } from '../../../../src/modules/sandbox/sandbox.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type Clock = Wire<typeof SandboxClock>;
export type ListedEmail = Wire<typeof EmailListItem>;
export type Email = Wire<typeof EmailSchema>;
type Emptied = { deleted: boolean; installation_number: string | null };

export const getSandboxClock = call<{ answer: One<Clock> }>('get_sandbox_clock');
export const updateSandboxClock = call<{
  body: { now?: string; frozen?: boolean };
  answer: One<Clock>;
}>('update_sandbox_clock');
export const deleteSandboxData = call<{ answer: One<Emptied> }>('delete_sandbox_data');
export const listEmails = call<{ query: ListQuery & { status?: string }; answer: Page<ListedEmail> }>(
  'list_emails',
);
export const getEmail = call<{ params: { email: string }; answer: One<Email> }>('get_email');
