import type { Response } from 'express';

/** In place of `response.json`: nothing here asks for freshness, padding or other spaces, and looking for it costs. */
export function quickJson(this: Response, body?: unknown): Response {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  // As text it goes out together with its head; as bytes it would be a second piece.
  this.writeHead(this.statusCode, headers).end(text);
  return this;
}
