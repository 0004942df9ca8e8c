import { defineProblems } from '../../kernel/problem.ts';

export const webhookErrors = defineProblems({
  event_not_subscribed: {
    status: 422,
    type: 'invalid_request_error',
    message: 'El punto de recepción no está suscrito a este evento.',
    help: 'type tiene que ser uno de los eventos que enabled_events del punto de recepción incluye.',
  },
});
