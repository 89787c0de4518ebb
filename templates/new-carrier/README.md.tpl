# Acme for Waybridge

## Account

TODO how a customer gets access, and which settings the account has.

## Services

TODO the services and what each is for.

## Assumptions

TODO what the carrier's documentation leaves open, what is assumed instead, and in which file it stands.

## Sources

TODO the documentation that this adapter follows, with its date.
