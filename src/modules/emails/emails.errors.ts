import { defineProblems } from '../../kernel/problem.ts';

export const emailErrors = defineProblems({
  email_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Hoy se ha enviado correo ya a {limit} destinatarios, que son los del plan de la empresa.',
      en: 'E-mail went to {limit} recipients today already, which are those of the plan of the company.',
    },
    help: {
      es: 'Cada plan tiene destinatarios de correo al día, que cuentan por destinatario de cada mensaje en el huso horario de la empresa: 100 en free, 1.000 en starter, 5.000 en growth y 20.000 en scale. Los recordatorios y los envíos automáticos que pasan del límite esperan al día siguiente; lo que se pide enviar se rechaza. Retry-After dice cuándo empieza el día siguiente. El entorno de pruebas no envía correo ni lo cuenta.',
      en: 'Each plan has recipients of e-mail a day, counted for each recipient of each message in the time zone of the company: 100 in free, 1,000 in starter, 5,000 in growth and 20,000 in scale. Reminders and automatic sendings above the limit wait for the next day; what is asked to be sent is refused. Retry-After says when the next day begins. The sandbox sends no e-mail and counts none.',
    },
  },
});
