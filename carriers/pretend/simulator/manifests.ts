import type { RequestHandler } from 'express';
import { numberSeries } from '../../toolkit/simulator/server.js';

/** The same bookings have the same manifest, however often they are handed in. */
export function pretendManifests(isBooked: (number: string) => boolean): RequestHandler {
  const next = numberSeries({ prefix: 'PM', length: 10 });
  const manifests = new Map<string, string>();
  return (request, response) => {
    const numbers = numbersIn(request.body);
    const unknown = numbers.filter((number) => !isBooked(number));
    if (numbers.length === 0 || unknown.length > 0) {
      const text = numbers.length === 0 ? 'there are no bookings' : `there is no booking ${unknown.join(', ')}`;
      response.status(422).json({ errors: [{ code: 'unknown', text }] });
      return;
    }
    const key = [...numbers].sort().join(' ');
    const number = manifests.get(key) ?? next();
    manifests.set(key, number);
    response.status(201).json({ number, bookings: numbers });
  };
}

function numbersIn(body: unknown): readonly string[] {
  const bookings = typeof body === 'object' && body !== null && 'bookings' in body ? body.bookings : [];
  return Array.isArray(bookings) ? bookings.filter((each) => typeof each === 'string') : [];
}
