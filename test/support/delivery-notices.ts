/** Delivery status notifications as mail systems write them (RFC 3464, RFC 6522). */

export type Bounce = {
  /** Of the message that bounced. */
  message_id: string;
  /** Our own header, where a mail system replaced the Message-ID. */
  own_id?: string;
  address: string;
  /** With another type than `rfc822` where it names one. */
  original?: string;
  action: string;
  diagnostic: string | null;
  line_end: string;
  /** Of the part with the fields. */
  encoding: '7bit' | 'base64' | 'quoted-printable';
  quoted: string;
  /** Inside another multipart, as a forwarder leaves it. */
  is_nested: boolean;
  boundary: string;
};

export function deliveryNotice(given: Pick<Bounce, 'message_id' | 'address'> & Partial<Bounce>): Buffer {
  const bounce: Bounce = {
    action: 'failed',
    diagnostic: `smtp; 550 5.1.1 <${given.address}>: Recipient\n    address rejected`,
    line_end: '\r\n',
    encoding: '7bit',
    quoted: 'message/rfc822',
    is_nested: false,
    boundary: '9B095B5ADSN=_01C27DC6',
    ...given,
  };
  const { boundary } = bounce;
  const fields = [
    'Reporting-MTA: dns; mx.example.com',
    'X-Postfix-Queue-ID: 4F1C2',
    'Arrival-Date: Sat, 21 Nov 2026 11:00:00 +0100 (CET)',
    '',
    ...(bounce.original ? [`Original-Recipient: ${withType(bounce.original)}`] : []),
    `Final-Recipient: rfc822; ${bounce.address}`,
    `Action: ${bounce.action}`,
    'Status: 5.1.1',
    ...(bounce.diagnostic === null ? [] : [`Diagnostic-Code: ${bounce.diagnostic}`]),
    '',
  ].join('\n');
  const report = [
    `Content-Type: multipart/report; report-type=delivery-status;\n\tboundary="${boundary}"`,
    '',
    'This is a MIME-encapsulated message.',
    '',
    `--${boundary}`,
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I could not deliver your message.',
    '',
    `--${boundary}`,
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    `Content-Transfer-Encoding: ${bounce.encoding}`,
    '',
    encode(fields, bounce.encoding),
    `--${boundary}`,
    'Content-Description: Undelivered Message',
    `Content-Type: ${bounce.quoted}`,
    '',
    'Return-Path: <facturas@folio.example>',
    'Subject: =?UTF-8?Q?Factura?=',
    `Message-ID:`,
    ` ${bounce.message_id}`,
    ...(bounce.own_id ? [`X-Folio-Message-ID: ${bounce.own_id}`] : []),
    '',
    'Message-ID: <not@the.header>',
    '',
    `--${boundary}--`,
    '',
  ].join('\n');
  const head = [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <the-notice-itself@mx.example.com>',
    'MIME-Version: 1.0',
  ].join('\n');
  const text = bounce.is_nested
    ? `${head}\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\n\nFYI\n--outer\n${report}\n--outer--\n`
    : `${head}\n${report}`;
  return Buffer.from(text.replaceAll('\n', bounce.line_end), 'utf8');
}

const withType = (address: string) => (address.includes(';') ? address : `rfc822;${address}`);

function encode(text: string, encoding: Bounce['encoding']): string {
  if (encoding === 'base64')
    return Buffer.from(text)
      .toString('base64')
      .replace(/(.{76})/g, '$1\n');
  if (encoding === 'quoted-printable') return text.replaceAll('=', '=3D').replace(/(.{60})/g, '$1=\n');
  return text;
}
