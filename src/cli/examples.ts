/*
 * What `--help` shows below the options; commands that need more words have theirs in a file of their own. A command's code is
 * loaded only where it runs.
 */

export const SERVE_EXAMPLES = `
Examples:
  waybridge serve
  node --env-file=.env bin/waybridge.js serve
`;

export const SANDBOX_EXAMPLES = `
Examples:
  waybridge sandbox --with-service
  waybridge sandbox --scenario small-shop --port 9091
  waybridge sandbox --with-service --adapter ./fjordpost
`;

export const DEMO_EXAMPLES = `
Examples:
  waybridge demo
  waybridge demo --output labels --adapter ./fjordpost
`;

export const DOCTOR_EXAMPLES = `
Exit code 1: something that bookings need does not work.

Examples:
  waybridge doctor
  waybridge doctor --json
  waybridge doctor --from-ims --area 550 --out waybridge.yaml
`;

export const RULES_EXAMPLES = `
Examples:
  waybridge rules test
  waybridge rules test --examples black-friday.yaml
`;

export const NEW_CARRIER_EXAMPLES = `
Examples:
  waybridge new-carrier fjordpost
  waybridge new-carrier fjordpost --name "Fjord Post" --auth basic --yes
`;

export const CHECK_CARRIER_EXAMPLES = `
Examples:
  waybridge check-carrier ./fjordpost
  waybridge check-carrier waybridge-fjordpost
`;

export const MIGRATE_EXAMPLES = `
Examples:
  waybridge migrate
  node --env-file=.env bin/waybridge.js migrate
`;

export const REPLAY_EXAMPLES = `
The service must be running at PUBLIC_URL or --url. OPERATOR_TOKEN must be set.

Examples:
  waybridge replay --area 550 --shipment 10000013
  waybridge replay --area 550 --document 10000021 --dry-run
  waybridge replay --area 550 --since 2026-03-04T06:00:00Z --until 2026-03-04T09:30:00Z
  waybridge replay --area 550 --since 2026-03-04 --url https://waybridge.example
`;

export const RESOLVE_EXAMPLES = `
The service must be running at --url, WAYBRIDGE_URL or PUBLIC_URL. OPERATOR_TOKEN must be set.
answer is booked (with container and trackingNumber, a row for each parcel), not-booked (it is booked again) or give-up.
Rows without an answer are left out; wrong rows are named, and the others are done. The exit code is then 1.

Examples:
  waybridge consignments --needs-operator --csv > answers.csv
  waybridge resolve --csv answers.csv --dry-run
  waybridge resolve --csv answers.csv --per-second 2 --wait
`;

export const FORGET_EXAMPLES = `
The service must be running at --url, WAYBRIDGE_URL or PUBLIC_URL. OPERATOR_TOKEN must be set. What is removed cannot be had back.
A booking that is not at rest is refused, and nothing is removed.

Examples:
  waybridge forget 10045
  waybridge forget 10045 --area 550 --json
`;

export const REPRINT_EXAMPLES = `
The service must be running at --url, WAYBRIDGE_URL or PUBLIC_URL. OPERATOR_TOKEN must be set. Each call prints once.

Examples:
  waybridge reprint 0198f2c4-9a41-7c39-8a52-3f6f7c1d2e10 --reason "the printer jammed"
  waybridge reprint 0198f2c4-9a41-7c39-8a52-3f6f7c1d2e10 --parcel 10000014 --device "Packing table 2" --copies 2
`;
