import { defineProblems } from '../../kernel/problem.ts';

export const webhookErrors = defineProblems({
  event_not_subscribed: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'El punto de recepción no está suscrito a este evento.',
      en: 'The endpoint is not subscribed to this event.',
    },
    help: {
      es: 'type tiene que ser uno de los eventos que enabled_events del punto de recepción incluye.',
      en: 'type has to be one of the events that enabled_events of the endpoint includes.',
    },
  },
});
