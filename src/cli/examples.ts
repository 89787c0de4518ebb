/* What `--help` shows below the options; commands that need more words have theirs beside their code. */

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
