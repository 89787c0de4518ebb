import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ShellBlock, inlineCommands, namedCommands, namedRequests, shellBlocks } from './pages.js';
import { type Reader, sitDown } from './reader.js';

// Skipped where a program is not installed that the commands of the pages use.
const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
const describeHere = missing.length === 0 ? describe : describe.skip;

let reader: Reader;
beforeAll(async () => {
  reader = await sitDown();
});
afterAll(async () => reader.leave());

/** Lines that are not run here, and where they are, or what they would need. */
const NOT_HERE: readonly (readonly [RegExp, string])[] = [
  [/^npm ci( && npm (run demo|test))?$/, 'steps of .ci/run'],
  [
    /^npm (test|run (test:(journeys|sandbox|properties|carriers|browser|slow)|lint && npm run typecheck|format|dev))\b/,
    'steps of .ci/run, or without an end',
  ],
  [/^npm run docs:(carriers|log-events)\b/, 'writes into the repository; other tests compare the page'],
  [/^npm run docs:screenshots\b/, 'writes into the repository, and needs a browser'],
  [/^npm run docs:labels\b/, 'writes into the repository, and needs poppler'],
  [/^npm run docs:papers\b/, 'writes into the repository, and needs poppler'],
  [/^bash \.ci\/run\b/, 'would call itself'],
  [/^(BENCH_PROFILE=\S+ )?npm run bench( -- --only .*)?( *#.*)?$/, 'lasts for minutes; .ci/run runs a part of it'],
  [/^docker /, 'needs a Docker engine'],
  [/doctor --from-ims$/, "needs areas with the settings of the vendor's apps: test/cli/doctor.test.ts has some"],
  [/^(helm|kubectl) /, 'needs a cluster'],
];

/** What runs until it is told to stop: by what it is known that it works. */
const LASTING: readonly (readonly [RegExp, string])[] = [
  [/^npm run sandbox\b/, '$SANDBOX_HERE/2/openapi.json'],
  [/^(npx waybridge|node bin\/waybridge\.js) sandbox\b/, '$SANDBOX_HERE/2/openapi.json'],
  [/^node .*bin\/waybridge\.js serve\b/, '$OWN/healthz'],
];

/** Lines that a backslash continues are one. */
function statements(script: string): readonly string[] {
  return script.replaceAll(/\\\n\s*/g, ' ').split('\n');
}

/** @returns `''` when nothing of the block is run here */
function runnable({ script }: ShellBlock): string {
  const lines = statements(script).filter((line) => !NOT_HERE.some(([pattern]) => pattern.test(line)));
  return lines.some((line) => line.trim() !== '') ? lines.map(untilItAnswers).join('\n') : '';
}

function untilItAnswers(line: string): string {
  if (/^npx waybridge forget\b/.test(line)) return `understood ${line}`;
  if (/^(node .*waybridge\.js|npx waybridge) doctor\b/.test(line)) return `withoutCarriers ${line}`;
  const address = LASTING.find(([pattern]) => pattern.test(line))?.[1];
  if (address === undefined) return line;
  const [command = ''] = line.replace(/ &$/, '').split(' #');
  const elsewhere = command
    .replace(/^npm run sandbox/, 'node bin/waybridge.js sandbox --with-service --service-port $PORT2')
    .replace(/^npx waybridge/, 'node bin/waybridge.js')
    .replace(/sandbox$/, 'sandbox --port 9090')
    .replace(/--port 9090|(?=--with-service)/, '--port $PORT1 ');
  return `PORT1=$(free) PORT2=$(free) SANDBOX_HERE=http://127.0.0.1:$PORT1\nlasting ${address} ${elsewhere}`;
}

/** The sandbox's own page does what else the service would do. */
function besideOf(at: string): 'service' | 'nothing' {
  return at.startsWith('src/sandbox/') ? 'nothing' : 'service';
}

const blocks = [...shellBlocks(), ...inlineCommands()].map((block) => ({ at: block.at, script: runnable(block) }));

if (missing.length > 0)
  process.stderr.write(`commands of the pages: skipped, ${missing.join(' and ')} not found on this machine\n`);

describeHere('every command of the pages', () => {
  it.each(blocks.filter(({ script }) => script !== ''))('works as it stands in $at', async ({ at, script }) => {
    const { exitCode, output, requests } = await reader.run(script, besideOf(at));
    // 409: it is understood, and does not fit what the consignment is in.
    expect(requests.filter((request) => !/^(2\d\d|409) /.test(request))).toEqual([]);
    if (exitCode !== 0) throw new Error(`ended with ${exitCode}:\n${output}`);
  });

  it('is run, or its reason is given', () => {
    const unused = NOT_HERE.filter(([pattern]) =>
      [...shellBlocks(), ...inlineCommands()].every(
        ({ script }) => !statements(script).some((line) => pattern.test(line)),
      ),
    );
    expect(unused).toEqual([]);
  });
});

describe('what the pages name in passing', () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );

  it('are scripts that there are', () => {
    const unknown = namedCommands(/\bnpm run ([\w:-]+)/g).filter(({ name }) => scripts[name] === undefined);
    expect(unknown).toEqual([]);
  });

  it('are commands that there are', () => {
    const { stdout } = spawnSync(process.execPath, ['bin/waybridge.js', '--help'], { encoding: 'utf8' });
    const named = namedCommands(/(?:npx waybridge|bin\/waybridge\.js) ([a-z][a-z-]*)/g);
    expect(named.filter(({ name }) => !stdout.includes(`\n  ${name} `))).toEqual([]);
  });

  it('are commands whose help ends with examples', () => {
    const help = (...command: readonly string[]) =>
      spawnSync(process.execPath, ['bin/waybridge.js', ...command, '--help'], { encoding: 'utf8' }).stdout;
    const commands = [...help().matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(10);
    const helped = commands
      .filter((name) => name !== 'help')
      .map((name) => help(...(name === 'rules' ? [name, 'test'] : [name])));
    expect(helped.filter((text) => !/\nExamples:\n {2}\S/.test(text))).toEqual([]);
  });

  it('are requests that are answered', async () => {
    const unanswered: string[] = [];
    const seen = new Map(namedRequests().map((request) => [`${request.method} ${request.path}`, request]));
    for (const { page, method, path } of seen.values()) {
      const base = path.startsWith('/control') ? reader.sandboxUrl : reader.serviceUrl;
      const filled = path.replace(/\{\w+\}|<\w+>|….*/g, '1');
      const headers = { authorization: 'Bearer sandbox-operator-token', 'content-type': 'application/json' };
      const answer = await fetch(`${base}${filled}`, { method, headers, ...(method === 'POST' && { body: '{' }) });
      const said = await answer.text();
      const isNoRoute = answer.status === 404 && /There is nothing here|no such control"|^$/.test(said);
      if (isNoRoute || answer.status === 405) unanswered.push(`${page}: ${method} ${path}: ${answer.status}`);
    }
    expect(unanswered).toEqual([]);
  });
});
