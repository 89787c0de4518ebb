import express from 'express';
import ipaddr from 'ipaddr.js';
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import type { Control } from './control.js';
import {
  readArea,
  readAttachment,
  readClient,
  readDataDocument,
  readEvent,
  readHandOver,
  readIdMember,
  readOtherDocument,
  readQuickShipment,
  readSeed,
  readSwitches,
} from './control-bodies.js';
import { readFault } from '../faults/fault-bodies.js';
import { checkFaultsFile, readFaultsFile } from '../faults/faults-file.js';
import type { Json } from '../store/json.js';
import { DEEPEST, isDeeperThan } from '../store/json.js';
import { BadControlBody } from './members.js';
import type { RequestFilter } from '../api/request-log.js';
import { readTargets } from '../events/target-bodies.js';
import { addTrackingRoutes } from '../tracking/tracking-routes.js';

/** Who may use the control interface: a container is not asked from its own machine, but through a private network. */
export type ControlledFrom = 'this machine' | 'private networks';

const RANGES: Readonly<Record<ControlledFrom, readonly string[]>> = {
  'this machine': ['loopback'],
  'private networks': ['loopback', 'private', 'uniqueLocal', 'linkLocal'],
};

/** The control interface over HTTP: JSON, without credentials. */
export function controlRouter(control: Control, from: ControlledFrom): Router {
  const router = express.Router();
  router.use(onlyFrom(from), express.json({ strict: false, limit: '10mb' }), notTooDeep);
  addLookingRoutes(router, control);
  addChangingRoutes(router, control);
  addChanceRoutes(router, control);
  addStoreRoutes(router, control);
  addTrackingRoutes(router, control, bodyOf);
  router.use((_request, response) => void response.status(404).json({ error: 'there is no such control' }));
  router.use(answerError);
  return router;
}

function addLookingRoutes(router: Router, control: Control): void {
  router.get('/state', (_request, response) => void response.json(control.state()));
  router.get('/requests', (request, response) => void response.json(control.requests(filterOf(request))));
  router.get('/faults', (_request, response) => void response.json(control.faults()));
  router.get('/targets', (_request, response) => void response.json(control.eventTargets()));
  router.get('/clients', (_request, response) => void response.json(control.clients()));
  router.get('/switches', (_request, response) => void response.json(control.switches()));
  router.get('/documents/:id/attachments/:fileName', (request, response) => {
    const { id, fileName } = request.params;
    const content = control.attachment(Number(id), fileName);
    if (content === null) return void response.status(404).json({ error: 'there is no such file' });
    response.type(/\.\w+$/.exec(fileName)?.[0] ?? 'bin').send(content);
  });
  router.get('/carriers/:id/returns', (request, response) => {
    const returns = control.returns(request.params.id);
    response.status(returns === null ? 404 : 200).json(returns ?? { error: 'there is no such carrier' });
  });
  router.get('/carriers/:id/bookings', (request, response) => {
    const bookings = control.bookings(request.params.id);
    response.status(bookings === null ? 404 : 200).json(bookings ?? { error: 'there is no such carrier' });
  });
}

function addChangingRoutes(router: Router, control: Control): void {
  router.delete(
    '/requests',
    done(() => control.forgetRequests()),
  );
  router.post(
    '/switches',
    (request, response) => void response.json(control.setSwitches(readSwitches(bodyOf(request)))),
  );
  router.delete(
    '/tokens',
    done(() => control.revokeTokens()),
  );
  router.post(
    '/clients',
    done((request) => control.addClient(readClient(bodyOf(request)))),
  );
  router.post(
    '/targets',
    done((request) => control.setEventTargets(readTargets(bodyOf(request)))),
  );
  router.delete(
    '/targets',
    done(() => control.setEventTargets([])),
  );
}

function addChanceRoutes(router: Router, control: Control): void {
  router.post(
    '/faults',
    done((request) => control.addFault(readFault(bodyOf(request)))),
  );
  router.delete(
    '/faults',
    done(() => control.clearFaults()),
  );
  router.post(
    '/seed',
    done((request) => control.setSeed(readSeed(bodyOf(request)))),
  );
  // A body of any content type but JSON is read as YAML, because curl sends a file as a form by default.
  router.post(
    '/faults-file',
    express.text({ type: () => true, limit: '10mb' }),
    done((request) => {
      const body: Json | undefined = request.body;
      control.applyFaultsFile(typeof body === 'string' ? readFaultsFile(body) : checkFaultsFile(body ?? null));
    }),
  );
}

function addStoreRoutes(router: Router, control: Control): void {
  router.post(
    '/areas',
    done((request) => control.addArea(readArea(bodyOf(request)))),
  );
  router.post('/shipments', (request, response) => {
    response.json(control.createShipment(readQuickShipment(bodyOf(request))));
  });
  router.post('/bookings', (request, response) => {
    response.json(control.createTransportBooking(readIdMember(bodyOf(request), 'shipmentId')));
  });
  router.post('/documents', (request, response) => {
    response.json(control.createDocument(readOtherDocument(bodyOf(request))));
  });
  router.post('/handovers', (request, response) => {
    const { area, shipmentIds } = readHandOver(bodyOf(request));
    response.json(control.handOver(area, shipmentIds));
  });
  router.post('/attachments', (request, response) => {
    response.json(control.attach(readAttachment(bodyOf(request))));
  });
  router.post('/cancellations', (request, response) => {
    response.json(control.cancelDocument(readIdMember(bodyOf(request), 'documentId')));
  });
  router.post('/events', (request, response) => {
    response.json({ eventId: control.emitEvent(readEvent(bodyOf(request))) });
  });
  router.put(
    '/carriers/:name/dataDocument',
    done((request) => {
      const { area, dataDocument } = readDataDocument(bodyOf(request));
      control.setCarrierDataDocument(area, String(request.params['name']), dataDocument);
    }),
  );
}

/** A handler that calls `act` and answers 204. */
function done(act: (request: Request) => void): RequestHandler {
  return (request, response) => {
    act(request);
    response.status(204).end();
  };
}

function bodyOf(request: Request): Json {
  const body: Json | undefined = request.body;
  if (body !== undefined) return body;
  throw new BadControlBody('there is no JSON in the body: send it with the header content-type: application/json');
}

function filterOf(request: Request): RequestFilter {
  const { target, area } = request.query;
  if (area !== undefined && !/^\d+$/.test(String(area))) throw new BadControlBody('area: must be a whole number');
  return {
    ...(typeof target === 'string' ? { target } : {}),
    ...(typeof area === 'string' ? { area: Number(area) } : {}),
  };
}

function onlyFrom(from: ControlledFrom): RequestHandler {
  return (request, response, next) => {
    const { remoteAddress = '' } = request.socket;
    if (ipaddr.isValid(remoteAddress) && RANGES[from].includes(ipaddr.process(remoteAddress).range())) return next();
    response.status(403).json({ error: `the control interface answers ${from} only` });
  };
}

const notTooDeep: RequestHandler = (request, response, next) => {
  const body: Json | undefined = request.body;
  if (!isDeeperThan(body, DEEPEST)) return next();
  response.status(400).json({ error: `the body is nested deeper than ${DEEPEST} levels` });
};

const answerError: ErrorRequestHandler = (error: Error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const isJson = !(error instanceof SyntaxError);
  response.status(400).json({ error: isJson ? error.message : `the body is no JSON: ${error.message}` });
};
