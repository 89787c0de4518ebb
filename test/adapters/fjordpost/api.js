import { jsonClient, listAt, textAt, tryParseJson } from 'waybridge/adapter';

/** Every endpoint of the API that is used. `change`: an answer that is lost may have been a booking. */
export const fjordpostApi = ({ apiKey }, tools) =>
  jsonClient(
    tools,
    { headers: { authorization: `Bearer ${apiKey}` }, problemsFrom, isDuplicate },
    {
      book: { method: 'POST', path: '/consignments', effect: 'change', timeoutMs: 30_000 },
      find: { method: 'GET', path: '/consignments', effect: 'read' },
      labels: { method: 'GET', path: '/consignments/{number}/labels', effect: 'read', answer: 'pdf' },
      cancel: { method: 'DELETE', path: '/consignments/{number}', effect: 'change', answer: 'none' },
      events: { method: 'GET', path: '/events', effect: 'read' },
      ping: { method: 'GET', path: '/ping', effect: 'read', timeoutMs: 5_000 },
    },
  );

/** `{ errors: [{ code, message, parcel? }] }`, where `parcel` is our own id. */
function problemsFrom(answer) {
  return listAt(tryParseJson(answer.body), 'errors').map((error) => ({
    code: textAt(error, 'code'),
    text: textAt(error, 'message') ?? 'no reason given',
    parcelId: textAt(error, 'parcel'),
  }));
}

function isDuplicate(problems) {
  return problems.some(({ code }) => code === 'reference_taken');
}
