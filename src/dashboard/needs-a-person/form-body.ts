import express, { type RequestHandler } from 'express';
import { BadRequest } from '../../http/bad-request.js';

/** A list of 150 bookings with a number for each of 20 parcels, or a table of answers. */
const MAX_FORM_BYTES = 500_000;
const MULTIPART = 'multipart/form-data';

/**
 * Reads a form that may hold a file. `request.body` has the texts by name (a list, where a name stands several times); a
 * file is a text too, and '' where none was chosen. Comes directly after the budget for bodies.
 */
export const formBody: readonly RequestHandler[] = [
  express.raw({ type: MULTIPART, limit: MAX_FORM_BYTES }),
  async (request, _response, next) => {
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes)) throw new BadRequest(`the form is sent as ${MULTIPART}`);
    request.body = await textsIn(bytes, request.get('content-type') ?? '');
    next();
  },
];

/** @throws BadRequest */
async function textsIn(bytes: Buffer, type: string): Promise<Readonly<Record<string, string | readonly string[]>>> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of await partsOf(bytes, type)) {
    const text = typeof value === 'string' ? value : await value.text();
    fields.set(name, [...(fields.get(name) ?? []), text]);
  }
  return Object.fromEntries([...fields].map(([name, texts]) => [name, texts.length === 1 ? (texts[0] ?? '') : texts]));
}

async function partsOf(bytes: Buffer, type: string) {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    return [...form.entries()];
  } catch (error) {
    throw new BadRequest('the form cannot be read: open the page again', { cause: error });
  }
}
