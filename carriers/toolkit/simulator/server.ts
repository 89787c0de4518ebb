import express from 'express';
import type { Express, Response } from 'express';

/** An application that reads JSON bodies and plain query strings: what every simulated carrier starts from. */
export function simulatorApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(express.json({ limit: '2mb' }));
  return app;
}

/** Answers a PDF as carriers do. */
export function sendPdf(response: Response, bytes: Uint8Array): void {
  response.type('application/pdf').send(Buffer.from(bytes));
}

/**
 * Numbers as a carrier gives them out: each one once, counting up.
 * @param series `prefix` and then so many digits that the whole is `length` long
 */
export function numberSeries(series: { readonly prefix: string; readonly length: number }): () => string {
  let last = 0;
  return () => {
    last += 1;
    return series.prefix + String(last).padStart(series.length - series.prefix.length, '0');
  };
}
