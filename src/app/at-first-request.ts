import { open } from 'node:fs/promises';
import { devNull } from 'node:os';
import type { RequestHandler } from 'express';

/** Creates a handler when the first request comes to it, once for all; again at the next request where that failed. */
export function atFirstRequest(create: () => Promise<RequestHandler>): RequestHandler {
  let creating: Promise<RequestHandler> | null = null;
  return (request, response, next) => {
    creating ??= create().catch((error: unknown) => {
      creating = null;
      throw error;
    });
    creating.then((handle) => handle(request, response, next)).catch(next);
  };
}

/** Imports only while files can be opened: Node would not read a module again whose file could not be opened. */
export async function imported<Module>(load: () => Promise<Module>): Promise<Module> {
  await (await open(devNull)).close();
  return load();
}
