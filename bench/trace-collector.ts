/** Takes traces and throws them away. */
import { createServer } from 'node:http';

createServer((request, response) => {
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')).resume();
}).listen(Number(process.env.PORT), '127.0.0.1');
