/** Under `carriers --help`. */
export const CARRIERS_EXAMPLES = `
With a configuration file (CONFIG_FILE, or waybridge.yaml here), the carriers from outside that its "adapters" names are shown
too. Nothing else is needed: no account, no setting, no secret. Nothing is sent.

Examples:
  waybridge carriers
  waybridge carriers --json | jq '.[] | select(.capabilities.cancel.offered) | .id'
`;
