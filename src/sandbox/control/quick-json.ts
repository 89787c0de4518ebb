import type { Response } from 'express';

/**
 * Replaces `response.json`, without Express's checks for freshness, JSONP and indentation: no client here uses them,
 * and they cost time.
 */
export function quickJson(this: Response, body?: unknown): Response {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  // Node sends a text body in one write with the headers; a `Buffer` would take a second write.
  this.writeHead(this.statusCode, headers).end(text);
  return this;
}
