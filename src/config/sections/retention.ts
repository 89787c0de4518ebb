import { IsInt, Max, Min, registerDecorator } from 'class-validator';

/** Ten years. */
const MAX_DAYS = 3_650;

/**
 * Days for which data is kept. The least numbers are what the rest of the program reads: parcels are followed for 60 days,
 * missed events are looked for within 7, callbacks that could not be applied wait for a person.
 */
export class RetentionConfig {
  /** Names, addresses and texts that may quote them, from the end of the booking. */
  @Days(14)
  addresses: number = 90;

  @Days(14)
  labels: number = 90;

  /** Events as the IMS sent them. */
  @Days(14)
  bodies: number = 90;

  /** Consignments with numbers and history, parcels and manifests; from their end. */
  @Days(90)
  @NotBefore('addresses', 'labels')
  history: number = 400;

  /** The record that an event came. */
  @Days(30)
  @NotBefore('bodies')
  events: number = 400;

  @Days(14)
  callbacks: number = 90;

  @Days(30)
  audit: number = 400;

  /** The record of booked documents and references, after their consignments are deleted. */
  @Days(400)
  @NotBefore('history')
  references: number = 1_825;
}

function Days(least: number): PropertyDecorator {
  const message = `must be a whole number of days from ${least} to ${MAX_DAYS}`;
  return (target, name) => {
    for (const rule of [IsInt({ message }), Min(least, { message }), Max(MAX_DAYS, { message })]) rule(target, name);
  };
}

/** Deleting a row deletes what it holds. */
function NotBefore(...others: readonly (keyof RetentionConfig)[]): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'notBefore',
      target: target.constructor,
      propertyName: String(name),
      validator: {
        validate: (value: unknown, context) =>
          others.every((other) => Number((context?.object as RetentionConfig)[other]) <= Number(value)),
        defaultMessage: () => `must be at least as many days as ${others.join(' and ')}`,
      },
    });
}
