// What the acceptance of events is held against: a route that inserts one row and answers 202, with the service's own
// database and its way of committing. `node bare-route.js <port> <folder of the embedded database, or a server's address>`
import process from 'node:process';
import express from 'express';

const [port, place] = process.argv.slice(2);
const { openEmbedded } = await import('../../dist/src/db/embedded/embedded.js');
const { openPostgres } = await import('../../dist/src/db/postgres.js');
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const database = place.startsWith('postgres://') ? openPostgres(place, quiet) : await openEmbedded(place);
await database.script('create table if not exists bare_event (id text primary key, body text not null)');

const app = express();
app.post('/events', express.json(), async (request, response) => {
  const { body } = request;
  await database.query('insert into bare_event (id, body) values ($1, $2)', [
    body.detail.eventId,
    JSON.stringify(body),
  ]);
  response.status(202).json({ id: body.detail.eventId });
});
app.listen(Number(port), '127.0.0.1', () => process.send('listening'));
