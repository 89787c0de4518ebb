import Sequencer from '@jest/test-sequencer';

/** Of `test/…/NAME.slow.test.ts`, the slowest first. */
const SLOWEST = [
  ...['adapters/outside', 'faults/storage-server', 'crash/carriers', 'journeys/carrier-outage'],
  ...['journeys/carrier-outage-instances', 'crash/process-stopped', 'journeys/breaker', 'labels/assembler'],
  ...['labels/symbols', 'crash/returns', 'ims/limits/with-redis', 'upgrade/upgrade-embedded', 'upgrade/upgrade'],
  ...['faults/once', 'journeys/late-answers', 'docs/commands', 'carriers/new-carrier', 'journeys/return-labels'],
  ...['app/stop-handover', 'crash/locked-rows', 'app/watchdog', 'outage/outage', 'crash/crash-points'],
  ...['crash/reprints', 'crash/controls', 'tracking/delivering', 'journeys/slow-connections', 'bin/image'],
].map((name) => `/${name}.slow.test.ts`);

/** Of `test/…/NAME.test.ts`, those of `fast` and `journeys` that take long. */
const LONG = [
  ...['journeys/outcomes', 'webhooks/delivering', 'manifests/handover', 'consignment/sequence', 'cli/carriers'],
  ...['webhooks/subscribers', 'manifests/handover-trouble', 'labels/conversion', 'cli/doctor-around'],
  ...['metrics/alert-rules', 'tracking/callbacks', 'carriers/pretend', 'transport/connection-faults'],
  ...['journeys/sealed-data', 'journeys/alert-causes', 'journeys/ims-trouble', 'journeys/retention'],
  ...['journeys/hard-cases-ims', 'retention/reseal'],
].map((name) => `/${name}.test.ts`);

const FIRST = [...SLOWEST, ...LONG];

/**
 * Begins with the files that take minutes, or the last of them would run alone. Jest knows the durations only where it ran the
 * same files before.
 */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ path }) {
  const rank = FIRST.findIndex((end) => path.endsWith(end));
  return rank === -1 ? FIRST.length : rank;
}
