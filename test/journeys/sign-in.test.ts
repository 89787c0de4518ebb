import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../../src/access/operators.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Answer, type Service, startService, until } from '../support/harness.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const PUBLIC_URL = 'https://waybridge.example';

let provider: ChildProcess;
let issuer: string;
let folder: string;
let service: Service;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-sign-in-'));
  const file = join(folder, 'operators.yaml');
  const operators = [
    { name: 'Mette Krogh', role: 'act', tokenHash: hashOf('token-of-mette') },
    { name: 'Anders', role: 'view', tokenHash: hashOf('token-of-anders') },
  ];
  await writeFile(file, JSON.stringify({ operators }));
  const callback = `${PUBLIC_URL}/sign-in/openid/callback`;
  provider = spawn(process.execPath, ['test/support/openid-provider.js', callback], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [port] = await once(provider.stdout as NodeJS.ReadableStream, 'data');
  issuer = `http://127.0.0.1:${String(port).trim()}`;
  const openId = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'waybridge', OIDC_CLIENT_SECRET: 'openid-client-secret-0001' };
  service = await startService({ environment: { OPERATORS_FILE: file, PUBLIC_URL, ...openId } });
  await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
});

afterAll(async () => {
  await service.stop();
  provider.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A browser's request: redirects are looked at, not followed. */
async function visit(path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const answer = await fetch(`${service.url}${path}`, {
    ...{ method: body === undefined ? 'GET' : 'POST', headers: { ...(body === undefined ? {} : FORM), ...headers } },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

type Visit = Awaited<ReturnType<typeof visit>>;

const cookiesOf = ({ headers }: Visit) => headers.getSetCookie();
const cookieOf = (answer: Visit, name: string) =>
  cookiesOf(answer).find((one) => one.startsWith(`waybridge_${name}=`)) ?? '';
const pairOf = (cookie: string) => cookie.split(';')[0] ?? '';
const formTokenIn = ({ text }: Visit) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';

async function signInWith(token: string, next = '/'): Promise<Visit> {
  const form = await visit('/sign-in');
  const body = new URLSearchParams({ token, next, formToken: formTokenIn(form) }).toString();
  return visit('/sign-in', { cookie: pairOf(cookieOf(form, 'form')) }, body);
}

async function sessionOf(token: string): Promise<{ readonly cookie: string; readonly formToken: string }> {
  const cookie = pairOf(cookieOf(await signInWith(token), 'session'));
  return { cookie, formToken: formTokenIn(await visit('/', { cookie })) };
}

async function lastEntry() {
  const { body }: Answer = await service.operator('/audit?limit=1');
  return body.entries[0];
}

describe('an address that is none', () => {
  const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it('shows a browser a page with the menu, and not its parameters as a problem', async () => {
    const { cookie } = await sessionOf('token-of-anders');
    const { status, headers, text } = await visit('/no-such-page?x=1', { cookie, accept: BROWSER });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('There is nothing here');
    expect(text).toContain('<a href="/">Go to Today</a>');
    expect(text).toMatch(/href="\/dead-letters">Dead letters/);
  });

  it('leads a browser that is not signed in to the sign-in page', async () => {
    const { status, headers } = await visit('/no-such-page', { accept: BROWSER });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?next=%2Fno-such-page']);
  });

  it.each([
    ['/no-such-page', '*/*', 404, 'There is nothing here'],
    ['/api/no-such-thing', BROWSER, 404, 'There is nothing here'],
    ['/events', BROWSER, 405, 'Not with this method'],
  ])('answers JSON at %s to Accept: %s', async (...[path, accept, expected, title]) => {
    const { cookie } = await sessionOf('token-of-anders');
    const { status, text } = await visit(path, { cookie, accept });
    expect([status, JSON.parse(text).title]).toEqual([expected, title]);
  });
});

describe('an address with a character that no id has', () => {
  it.each([
    ...['/dead-letters/task-%00/retry', '/manifests/%00/retry', '/inbox/%00/replay', '/inbox/%00/personal-data'],
    ...['/consignments/%00/retry', '/consignments/%00/cancel', '/consignments/%00/requests/1.1/personal-data'],
    ...['/dead-letters/retry?q=%00', '/needs-a-person/retry?cause=%00'],
  ])('changes nothing: POST %s', async (path) => {
    const { cookie, formToken } = await sessionOf('token-of-mette');
    const body = new URLSearchParams({ formToken, ids: '\0', cause: '\0', manifest: '\0' }).toString();
    expect([400, 404]).toContain((await visit(path, { cookie }, body)).status);
  });

  it.each([
    ...[
      '/parcels/%00',
      '/manifests/%00',
      '/manifests/%00/pdf',
      '/inbox/%00',
      '/consignments/%00',
      '/consignments?q=%00',
    ],
    ...[
      '/consignments?cursor=%00',
      '/parcels?account=%00',
      '/dead-letters?q=%00',
      '/inbox?q=%00',
      '/audit?operator=%00',
    ],
    ...['/needs-a-person?cause=%00', '/needs-a-person/became?ids=%00', '/rules?shipment=%00', '/carriers?account=%00'],
  ])('shows no error: GET %s', async (path) => {
    const { cookie } = await sessionOf('token-of-mette');
    expect((await visit(path, { cookie })).status).toBeLessThan(500);
  });
});

describe('without a session', () => {
  it.each([
    ...[
      '/',
      '/?area=1',
      '/consignments',
      '/consignments?q=1',
      '/consignments.csv',
      '/consignments/x/labels/0',
      '/consignments/x/labels/0/pages/1.png',
      '/audit',
      '/audit.csv',
      '/inbox',
      '/inbox/x',
      '/parcels',
      '/manifests/1/pdf',
      '/dead-letters',
    ],
    ...[
      '/needs-a-person',
      '/needs-a-person/list.csv',
      '/needs-a-person/became?ids=1',
      '/carriers',
      '/rules?shipment=1',
    ],
  ])('%s leads to the sign-in page and shows nothing', async (path) => {
    const { status, headers, text } = await visit(path);
    expect(status).toBe(303);
    expect(headers.get('location')).toMatch(/^\/sign-in/);
    expect(text).not.toContain('postal');
  });

  it('a page that refreshes itself is told to go to the sign-in page', async () => {
    const { status, headers } = await visit('/', { 'hx-request': 'true' });
    expect([status, headers.get('hx-redirect')]).toEqual([401, '/sign-in']);
  });

  it('a made-up session is refused, and is in the audit log', async () => {
    const { status } = await visit('/', { cookie: `waybridge_session=${'A'.repeat(43)}` });
    expect(status).toBe(303);
    expect(await lastEntry()).toMatchObject({
      operator: null,
      result: 'refused',
      status: 401,
      detail: 'session: unknown',
    });
  });

  it.each([
    'dashboard.css',
    'dashboard.js',
    'needs-a-person.css',
    'requests.css',
    'requests.js',
    'needs-a-person.js',
    'htmx.js',
    'uplot.js',
    'uplot.css',
    'charts.js',
    'charts.css',
    'inter.woff2',
    'icon.svg',
  ])('gets %s, which the sign-in page needs', async (name) => {
    expect((await visit(`/assets/${name}`)).status).toBe(200);
  });

  it.each(['/assets/', '/assets/../package.json', '/assets/%2e%2e/pages/today.eta', '/pages/today.eta'])(
    'gets nothing at %s',
    async (path) => {
      expect((await visit(path)).status).toBe(404);
    },
  );
});

describe('signing in', () => {
  it('gives a cookie that scripts cannot read, that other sites do not send, and that only https carries', async () => {
    const answer = await signInWith('token-of-mette');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(cookieOf(answer, 'session')).toMatch(/; Max-Age=86400;.*HttpOnly; Secure; SameSite=Lax$/);
    expect(await lastEntry()).toMatchObject({ operator: 'Mette Krogh', action: 'sign in', result: 'done' });
  });

  it.each([
    ['the page that was asked for', '/consignments?q=10045', '/consignments?q=10045'],
    ['Today, not another host', 'https://elsewhere.example/', '/'],
    ['Today, not another host without a scheme', '//elsewhere.example', '/'],
    ['Today, not another host with a backslash', '/\\elsewhere.example', '/'],
    ['Today, not the sign-in page', '/sign-in', '/'],
  ])('leads to %s', async (_what, next, place) => {
    expect((await signInWith('token-of-mette', next)).headers.get('location')).toBe(place);
  });

  it('refuses a wrong token with words, and audits it without the token', async () => {
    const answer = await signInWith('no-such-token');
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('This token is not known')]);
    expect(cookieOf(answer, 'session')).toBe('');
    const entry = await lastEntry();
    expect(entry).toMatchObject({ operator: null, action: 'sign in', result: 'refused', detail: 'wrong token' });
    expect(JSON.stringify(entry)).not.toContain('no-such-token');
  });

  it('refuses a form that another site made', async () => {
    const { status } = await visit('/sign-in', {}, 'token=token-of-mette&formToken=x&next=/');
    expect(status).toBe(401);
    expect(await lastEntry()).toMatchObject({ action: 'sign in', result: 'refused', detail: 'no form token' });
  });
});

describe('with a session', () => {
  it('Today is shown with a policy that lets in nothing from elsewhere, and is not kept', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const { status, headers, text } = await visit('/', { cookie });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).toContain('1 booking needs a person');
    expect(text).toContain('Mette Krogh');
    expect(text).not.toMatch(/ style=| on[a-z]+=|<script>/);
  });

  it('the id is stored as a hash only', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const id = cookie.split('=')[1] ?? '';
    expect(id).toHaveLength(43);
    expect(service.lines.some((line) => JSON.stringify(line).includes(id))).toBe(false);
  });

  it.each([
    ...[
      '/',
      '/needs-a-person',
      '/needs-a-person/list.csv',
      '/consignments',
      '/consignments.csv',
      '/parcels',
      '/manifests',
    ],
    ...['/carriers', '/rules', '/inbox', '/dead-letters', '/dead-letters/retry', '/audit', '/audit.csv'],
  ])('%s names what it does not know in its address, and what it knows', async (path) => {
    const { cookie } = await sessionOf('token-of-mette');
    const [fine, unknown] = [await visit(path, { cookie }), await visit(`${path}?nonsense=1`, { cookie })];
    expect([fine.status, unknown.status]).toEqual([200, 400]);
    expect(unknown.text).toMatch(/role="alert">&quot;nonsense&quot; is not a parameter here. Known are (\w+, )*\w+</);
  });

  it('a retry of what an address does not say clearly is refused, and in the audit log', async () => {
    const { cookie, formToken } = await sessionOf('token-of-mette');
    const answer = await visit('/dead-letters/retry?since=yesterday', { cookie }, `formToken=${formToken}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('since is a time')]);
    expect(await lastEntry()).toMatchObject({
      ...{ operator: 'Mette Krogh', action: 'retry several dead letters', result: 'refused', status: 400 },
    });
  });

  it('the audit log is shown, and exported, of one operator', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const of = async (operator: string) => {
      const query = new URLSearchParams({ operator }).toString();
      const page = await visit(`/audit?${query}`, { cookie });
      return [page.text.includes(`/audit.csv?${query}`), (await visit(`/audit.csv?${query}`, { cookie })).text];
    };
    expect(await of('Mette Krogh')).toEqual([true, expect.stringContaining('Mette Krogh,sign in')]);
    expect(await of('No One')).toEqual([true, expect.not.stringContaining('sign in')]);
  });

  it('the consignments are exported as they are filtered, which the audit log keeps', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const page = await visit('/consignments?state=refused', { cookie });
    expect(page.text).toContain('href="/consignments.csv?state=refused"');
    const { headers, text } = await visit('/consignments.csv?state=refused', { cookie });
    expect(headers.get('content-type')).toContain('text/csv');
    const [heading, ...rows] = text.trim().split('\r\n');
    const refused = (await service.operator('/consignments?state=refused')).body.consignments;
    expect(heading).toMatch(/^id,began,area,state,shipment,document,carrier,account,to,/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(refused.map(({ id }: { id: string }) => id));
    expect(await lastEntry()).toMatchObject({
      ...{ operator: 'Mette Krogh', action: 'export', target: 'consignments' },
      ...{ result: 'done', detail: `${refused.length} rows` },
    });
  });

  it('the consignments can be chosen, and are reviewed before they are retried; the way back leads to the list', async () => {
    const { cookie, formToken } = await sessionOf('token-of-mette');
    const { id, shipmentNumber } = (await service.operator('/consignments?state=refused')).body.consignments[0];
    const list = '/consignments?state=refused';
    const page = await visit(list, { cookie });
    expect(page.text).toMatch(/Refused&nbsp;<b>1<\/b>/);
    expect([
      page.text.match(/name="id" value="([^"]+)"/)?.[1],
      page.text.includes(`name="back" value="${list}"`),
    ]).toEqual([id, true]);
    const review = async (back: string) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ formToken, id, action: 'retry', back })) form.set(name, value);
      const address = `${service.url}/needs-a-person/review`;
      return (await fetch(address, { method: 'POST', headers: { cookie }, body: form })).text();
    };
    expect(await review(list)).toMatch(/<a href="\/consignments\?state=refused">Consignments<[^]*Retry 1 booking\?/);
    expect(await review('https://elsewhere.example/consignments')).toContain(
      '<a href="/needs-a-person">Needs a person<',
    );
    const { cookie: other } = await sessionOf('token-of-anders');
    const seen = (await visit(list, { cookie: other })).text;
    expect([seen.includes(shipmentNumber), seen.includes('data-review')]).toEqual([true, false]);
  });

  it('a form without its token does nothing, and is in the audit log', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const { status, text } = await visit('/sign-out', { cookie }, 'formToken=wrong');
    expect([status, text]).toEqual([403, expect.stringContaining('nothing was done')]);
    expect(await lastEntry()).toMatchObject({
      operator: 'Mette Krogh',
      action: 'sign out',
      result: 'refused',
      status: 403,
    });
    expect((await visit('/', { cookie })).status).toBe(200);
  });

  it('the token of another session does not fit', async () => {
    const [one, other] = [await sessionOf('token-of-mette'), await sessionOf('token-of-mette')];
    expect((await visit('/sign-out', { cookie: one.cookie }, `formToken=${other.formToken}`)).status).toBe(403);
  });

  it('an operator who may only look sees no actions, and one that is sent all the same is refused and audited', async () => {
    const { cookie, formToken } = await sessionOf('token-of-anders');
    const { id } = (await service.operator('/consignments?state=refused')).body.consignments[0];
    const page = await visit(`/consignments/${id}/retry`, { cookie });
    expect(page.text).toContain('Your role is “view”');
    expect(page.text).not.toMatch(/Retry/);
    const { status } = await visit(`/consignments/${id}/retry`, { cookie }, `formToken=${formToken}`);
    expect(status).toBe(403);
    expect(await lastEntry()).toMatchObject({ operator: 'Anders', action: 'retry', result: 'refused', status: 403 });
  });

  it('an operator who may only look gets no label, and its page says why', async () => {
    const booked = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
    const path = `/consignments/${booked.consignment.id}`;
    for (const [token, status, says] of [
      ['token-of-mette', 200, 'Open PDF'],
      ['token-of-anders', 403, 'only the role “act” reads it'],
    ] as const) {
      const { cookie } = await sessionOf(token);
      expect([(await visit(`${path}/labels/0`, { cookie })).status, (await visit(path, { cookie })).text]).toEqual([
        status,
        expect.stringContaining(says),
      ]);
      const page = async (n: number | string) => (await visit(`${path}/labels/0/pages/${n}.png`, { cookie })).status;
      expect(await page(1)).toBe(status);
      for (const none of [2, 'one', 0.5, 1.5])
        expect([none, await page(none)]).toEqual([none, status === 200 ? 404 : status]);
    }
  });

  it('the page of a cancelled booking shows no label to print, and says so', async () => {
    const { consignment, documentId } = await service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    await service.act(consignment, 'cancel');
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    const { cookie } = await sessionOf('token-of-mette');
    const { text } = await visit(`/consignments/${consignment.id}`, { cookie });
    expect(text).toContain('Do not use its label, and throw a printed one away.');
    expect(text).not.toMatch(/Open PDF|labels\/0/);
  });

  it.each(['review', 'answers', 'resolve', 'retry'])(
    'an operator who may only look cannot send what needs a person to %s',
    async (step) => {
      const { cookie, formToken } = await sessionOf('token-of-anders');
      const { id } = (await service.operator('/consignments?state=refused')).body.consignments[0];
      expect((await visit('/needs-a-person', { cookie })).text).toContain('Your role is “view”');
      const form = new FormData();
      for (const [name, value] of Object.entries({ formToken, id, action: 'retry' })) form.set(name, value);
      const address = `${service.url}/needs-a-person/${step}`;
      const { status } = await fetch(address, { method: 'POST', headers: { cookie }, body: form, redirect: 'manual' });
      expect(status).toBe(403);
      expect(await lastEntry()).toMatchObject({ operator: 'Anders', target: 'needs-a-person', result: 'refused' });
      expect((await service.operator(`/consignments/${id}`)).body.run).toBe(1);
    },
  );

  it('an operator who may only look sees no personal data in requests, and is refused and audited when he asks for it', async () => {
    const { cookie, formToken } = await sessionOf('token-of-anders');
    const { id } = (await service.operator('/consignments?state=refused')).body.consignments[0];
    const addressee = 'Freja Skov';
    expect(JSON.stringify(sampleShipments.withoutPostalCode)).toContain(addressee);
    const read = async () => {
      const { requests } = (await service.operator(`/consignments/${id}`)).body;
      return requests.find(({ name }: { readonly name: string }) => name.startsWith('Read shipment'));
    };
    await until('its requests are stored', async () => (await read()) !== undefined);
    const address = `/consignments/${id}/requests/${(await read()).id}/personal-data`;
    const page = await visit(`/consignments/${id}?request=${(await read()).id}&personal=ask`, { cookie });
    const answer = await visit(address, { cookie }, `formToken=${formToken}`);
    expect([page.status, answer.status]).toEqual([200, 403]);
    expect(page.text).toContain('personal data stays hidden');
    for (const { text } of [page, answer]) expect(text).not.toContain(addressee);
    expect(await lastEntry()).toMatchObject({
      ...{ operator: 'Anders', action: 'show personal data', target: `consignments/${id}`, result: 'refused' },
    });
    const mette = await sessionOf('token-of-mette');
    expect((await visit(address, { cookie: mette.cookie }, 'formToken=wrong')).status).toBe(403);
    const shown = await visit(address, { cookie: mette.cookie }, `formToken=${mette.formToken}`);
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining(addressee)]);
  });

  it('an operator who may only look sees the carriers and the rules, and tests no account', async () => {
    const { cookie, formToken } = await sessionOf('token-of-anders');
    const page = await visit('/carriers', { cookie });
    expect([page.text.includes('it sends no test'), page.text.includes('Test all')]).toEqual([true, false]);
    expect((await visit('/rules', { cookie })).text).toContain('the first one that matches decides');
    const { status } = await visit('/carriers/test', { cookie }, `formToken=${formToken}&account=gls`);
    expect(status).toBe(403);
    expect(await lastEntry()).toMatchObject({ operator: 'Anders', action: 'test connection', result: 'refused' });
  });

  it('an operator who may only look gets an event without personal data', async () => {
    const event = {
      eventId: 'e-1',
      eventType: 'shelfMoved',
      contextId: '1',
      userId: 10000017,
      contactPerson: 'Karen Blixen',
    };
    await service.send(event);
    const read = async (token: string) =>
      (await service.operator('/events/e-1', { headers: { authorization: `Bearer ${token}` } })).body;
    expect(await read('token-of-mette')).toMatchObject({
      body: JSON.stringify(event),
      understood: { userId: 10000017 },
    });
    const hidden = await read('token-of-anders');
    expect(hidden.understood.userId).toBeNull();
    expect(JSON.parse(hidden.body)).toEqual({ ...event, userId: '••••••', contactPerson: '••••••' });
  });

  it.each([
    ['/inbox/x/replay', 'replay event'],
    ['/inbox/x/personal-data', 'show personal data'],
    ['/manifests/1/retry', 'retry manifest'],
    ['/dead-letters/retry', 'retry several dead letters'],
    ['/dead-letters/task-x/retry', 'retry dead letter'],
  ])('%s is refused without the token of the form, and to an operator who may only look', async (path, action) => {
    const acting = await sessionOf('token-of-mette');
    expect((await visit(path, { cookie: acting.cookie }, 'manifest=1')).status).toBe(403);
    expect(await lastEntry()).toMatchObject({ operator: 'Mette Krogh', action, result: 'refused' });
    const looking = await sessionOf('token-of-anders');
    expect((await visit(path, { cookie: looking.cookie }, `formToken=${looking.formToken}`)).status).toBe(403);
    expect(await lastEntry()).toMatchObject({ operator: 'Anders', action, result: 'refused' });
  });

  it('what needs a person is not done without the token of the form', async () => {
    const { cookie } = await sessionOf('token-of-mette');
    const form = new FormData();
    form.set('action', 'retry');
    const address = `${service.url}/needs-a-person/retry`;
    const { status } = await fetch(address, { method: 'POST', headers: { cookie }, body: form, redirect: 'manual' });
    expect(status).toBe(403);
  });

  it('the audit log is shown, and exported', async () => {
    const { cookie } = await sessionOf('token-of-anders');
    expect((await visit('/audit', { cookie })).text).toContain('Mette Krogh');
    const { headers, text } = await visit('/audit.csv', { cookie });
    expect(headers.get('content-type')).toContain('text/csv');
    expect(text).toMatch(/^id,at,operator,action/);
  });

  it('signing out ends it', async () => {
    const { cookie, formToken } = await sessionOf('token-of-mette');
    const answer = await visit('/sign-out', { cookie }, `formToken=${formToken}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in?ended=out']);
    expect((await visit('/', { cookie })).status).toBe(303);
  });
});

describe('with OpenID Connect', () => {
  /** A browser goes from the sign-in page to the provider and comes back. */
  async function cameBack(
    account: string,
    next = '/consignments',
  ): Promise<{ readonly path: string; readonly cookie: string }> {
    await fetch(`${issuer}/become/${account}`);
    const leaving = await visit(`/sign-in/openid?next=${encodeURIComponent(next)}`);
    const cookie = pairOf(cookieOf(leaving, 'openid'));
    const jar = new Map<string, string>();
    let at = leaving.headers.get('location') ?? '';
    while (!at.startsWith(PUBLIC_URL)) {
      const answer = await fetch(at, { headers: { cookie: [...jar.values()].join('; ') }, redirect: 'manual' });
      for (const set of answer.headers.getSetCookie()) jar.set(set.split('=')[0] ?? '', pairOf(set));
      at = new URL(answer.headers.get('location') ?? '', at).href;
    }
    return { path: at.slice(PUBLIC_URL.length), cookie };
  }
  async function signedInAs(account: string): Promise<Visit> {
    const { path, cookie } = await cameBack(account);
    return visit(path, { cookie });
  }

  it('the sign-in page offers the provider beside the token', async () => {
    const { text } = await visit('/sign-in?next=/audit');
    expect(text).toContain(`href="/sign-in/openid?next=%2Faudit">Sign in with ${new URL(issuer).host}</a>`);
  });

  it.each([
    ['mette', 'act'],
    ['anders', 'view'],
  ])('%s gets the role of the claim, %s, and is in the audit log by name', async (account, role) => {
    const answer = await signedInAs(account);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/consignments']);
    const name = `${account} (${new URL(issuer).host})`;
    expect(await lastEntry()).toMatchObject({ operator: name, action: 'sign in', result: 'done' });
    const cookie = pairOf(cookieOf(answer, 'session'));
    const page = await visit('/', { cookie });
    expect(page.text).toContain(name);
    const retry = await visit('/consignments/x/retry', { cookie }, `formToken=${formTokenIn(page)}`);
    expect(retry.status === 403).toBe(role === 'view');
  });

  it('a person of the provider is never taken for an operator with a token', async () => {
    await signedInAs('operator');
    expect((await lastEntry()).operator).toBe(`operator (${new URL(issuer).host})`);
  });

  it.each([
    ['without a role here', 'stranger', 'gives you no role in Waybridge'],
    ['whom the provider refuses', 'nobody', 'It says: &quot;no account&quot;'],
  ])('a person %s is told so and not let in', async (_case, account, words) => {
    const answer = await signedInAs(account);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(words);
    expect(cookieOf(answer, 'session')).toBe('');
    expect(await lastEntry()).toMatchObject({ operator: null, action: 'sign in', result: 'refused', status: 403 });
  });

  it('an answer counts once, for the browser that left, and with its state', async () => {
    const { path, cookie } = await cameBack('mette');
    const other = await visit('/sign-in/openid');
    for (const kept of ['', 'waybridge_openid=nothing', pairOf(cookieOf(other, 'openid'))]) {
      const answer = await visit(path, { cookie: kept });
      expect([answer.status, cookieOf(answer, 'session')]).toEqual([400, '']);
      expect(answer.text).toContain('Begin again here');
    }
    expect((await visit(path.replace(/code=[^&]+/, 'code=forged'), { cookie })).status).toBe(403);
    expect((await visit(path, { cookie })).status).toBe(303);
    expect(cookieOf(await visit(path, { cookie }), 'session')).toBe('');
  });

  it('leads to no other site after it', async () => {
    const { path, cookie } = await cameBack('mette', 'https://elsewhere.example/');
    expect((await visit(path, { cookie })).headers.get('location')).toBe('/');
  });

  it('a provider that is away leaves the token', async () => {
    const cookie = pairOf(cookieOf(await visit('/sign-in/openid'), 'openid'));
    provider.kill('SIGKILL');
    await once(provider, 'exit');
    const state = JSON.parse(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString()).state;
    const answer = await visit(`/sign-in/openid/callback?code=x&state=${state}&iss=${encodeURIComponent(issuer)}`, {
      cookie,
    });
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('does not answer as it should');
    expect((await signInWith('token-of-mette')).status).toBe(303);
  });
});
