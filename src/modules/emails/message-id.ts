/**
 * Message-IDs (RFC 5322, section 3.6.4): company, e-mail, and the installation's signature. Delivery notices
 * quote them. Unsigned, any stranger could declare a message undeliverable.
 */
import { uuidFromBytes, uuidToBytes } from '../../kernel/uuid7.ts';
import { signedTokens } from '../../platform/signed-tokens.ts';
import type { MessageIdPort } from './ports.ts';

const bodyBytes = 16 + 16;

/** @param keys of the installation; the first one signs */
export function makeMessageIds(keys: readonly Buffer[]): MessageIdPort {
  const tokens = signedTokens(keys, 'message of an e-mail');
  return {
    of({ company_id, id }, from) {
      const body = Buffer.concat([uuidToBytes(company_id), uuidToBytes(id)]);
      return `<${tokens.sign(body)}@${from.slice(from.lastIndexOf('@') + 1)}>`;
    },
    read(message_id) {
      const token = /^<([\w-]+)@[^@<>\s]+>$/.exec(message_id.trim())?.[1];
      const body = token === undefined ? undefined : tokens.open(token, bodyBytes);
      return body && { company_id: uuidFromBytes(body), id: uuidFromBytes(body, 16) };
    },
  };
}
