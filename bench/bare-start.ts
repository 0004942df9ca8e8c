/** The floor of start time and idle memory: node:http and postgres.js, ready once the database answers. */
import { createServer } from 'node:http';
import postgres from 'postgres';

const sql = postgres({ ...(JSON.parse(process.env.BENCH_TARGET ?? '{}') as object), max: 10 });

const server = createServer((_request, response) => {
  sql`select 1`.then(
    () => response.writeHead(200).end('ready'),
    () => response.writeHead(503).end(),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  void sql.end({ timeout: 1 });
});
