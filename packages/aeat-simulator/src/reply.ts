/** A fault may change a reply and its delivery. */
import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';

export type Delivery = 'whole' | 'half' | 'never' | 'reset';
export type Reply = {
  status: number;
  content_type: string;
  body: string;
  delivery: Delivery;
  delay_milliseconds: number;
};

export function makeReply(status: number, body: string, content_type = 'text/xml; charset=utf-8'): Reply {
  return { status, content_type, body, delivery: 'whole', delay_milliseconds: 0 };
}

export function withFault(reply: Reply, fault: Fault | undefined): Reply {
  switch (fault?.kind) {
    case 'timeout_before_storing':
    case 'timeout_after_storing':
      return { ...reply, delivery: 'never' };
    case 'reset_before_storing':
    case 'reset_after_storing':
      return { ...reply, delivery: 'reset' };
    case 'half_answer':
      return { ...reply, delivery: 'half' };
    case 'malformed_answer':
      return { ...reply, body: `${reply.body.slice(0, reply.body.length >> 1)}<<` };
    case 'slow_answer':
      return { ...reply, delay_milliseconds: fault.milliseconds };
    default:
      return reply;
  }
}

export function sendReply(response: ServerResponse, reply: Reply, hold_milliseconds: number): void {
  if (reply.delivery === 'reset') response.destroy();
  else if (reply.delivery === 'never') later(response, hold_milliseconds, () => response.destroy());
  else if (reply.delay_milliseconds > 0)
    later(response, reply.delay_milliseconds, () => write(response, reply));
  else write(response, reply);
}

function write(response: ServerResponse, { status, content_type, body, delivery }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': content_type, 'content-length': bytes.length });
  if (delivery === 'half') response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  else response.end(bytes);
}

function later(response: ServerResponse, milliseconds: number, act: () => void): void {
  const timer = setTimeout(act, milliseconds);
  response.once('close', () => clearTimeout(timer));
}
