import { defineProblems } from '../../kernel/problem.ts';

export const emailErrors = defineProblems({
  email_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Hoy se ha enviado correo ya a {limit} destinatarios, que son los del plan de la empresa.',
    help: 'Cada plan tiene destinatarios de correo al día, que cuentan por destinatario de cada mensaje en el huso horario de la empresa: 100 en free, 1.000 en starter, 5.000 en growth y 20.000 en scale. Los recordatorios y los envíos automáticos que pasan del límite esperan al día siguiente; lo que se pide enviar se rechaza. Retry-After dice cuándo empieza el día siguiente. El entorno de pruebas no envía correo ni lo cuenta.',
  },
});
