// Completes package-lock.json with the packages of other platforms.
//
// A registry mirror that serves the packages of some platforms only lets `npm install` write a lock file without the
// others, and `npm ci` then refuses that lock file everywhere, on the platforms that were served too. Run this after
// every change of the dependencies: `node .ci/complete-lock.js`. It asks nobody: the versions stand in the lock file, in
// the optional dependencies of the package they belong to, and the platform stands in their names. What is added has no
// checksum, so npm cannot verify it on those platforms; `npm install` on one of them fills it in.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, entry)]),
);
for (const [path, entry] of added) lock.packages[path] = entry;
if (added.length > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(added.length > 0 ? `added: ${added.length}` : 'nothing to add');

/** Looks where Node would: in the folder of the package, then in each folder around it. */
function isLocked(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

function entryFor(name, version, parent) {
  const words = name.split('/').at(-1).split('-');
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  if (!/^\d+\.\d+\.\d+$/.test(version) || !os || !cpu) {
    throw new Error(`${name}@${version}: neither in the lock file nor named after a platform; run npm install again`);
  }
  const libc = os === 'linux' && /musl/.test(name) ? 'musl' : os === 'linux' && /gnu/.test(name) ? 'glibc' : null;
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    os: [os],
  };
}
