import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { TRACKING_STATUSES, isJsonObject } from '../contract/index.js';

/* Decorators for the settings of an account. */

/** YAML reads an unquoted `9999` as a number; carriers want text. */
export const toText = ({ value }: { value: unknown }): unknown => (typeof value === 'number' ? String(value) : value);

const toNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** Reads a flag from the text that the environment gives; the validation refuses any other value. */
const toFlag = ({ value }: { value: unknown }): unknown => FLAGS.get(value) ?? value;

/** A text that is not blank; an unquoted number becomes a text. @param message e.g. `must be the user name` */
export function TextSetting(message: string, maxLength?: number): PropertyDecorator {
  return all(
    Transform(toText),
    IsString({ message }),
    IsNotEmpty({ message }),
    ...(maxLength === undefined ? [] : [MaxLength(maxLength, { message: `must be at most ${maxLength} characters` })]),
  );
}

/** As `TextSetting`, for an optional setting. */
export function OptionalText(message: string): PropertyDecorator {
  return all(IsOptional(), Transform(toText), IsString({ message }));
}

/** A text of a form, e.g. `/^\d{7}$/`; an unquoted number becomes a text. @param message e.g. `must be seven digits` */
export function PatternSetting(pattern: RegExp, message: string): PropertyDecorator {
  return all(Transform(toText), Matches(pattern, { message }));
}

/** As `PatternSetting`, for an optional setting. */
export function OptionalPattern(pattern: RegExp, message: string): PropertyDecorator {
  return all(IsOptional(), PatternSetting(pattern, message));
}

/** A whole number from 0 on, also as text from the environment. @param message e.g. `must be the number of the collection point` */
export function NumberSetting(message: string): PropertyDecorator {
  return all(Transform(toNumber), IsInt({ message }), Min(0, { message }));
}

/** `true` or `false`, also as text from the environment. */
export function FlagSetting(): PropertyDecorator {
  return all(Transform(toFlag), IsBoolean({ message: 'must be true or false' }));
}

/** One of some words. */
export function ChoiceSetting(words: readonly string[]): PropertyDecorator {
  return IsIn(words, { message: `must be one of ${words.join(', ')}` });
}

/** Secrets and addresses of people go there: to this machine, or over https. */
const SAFE_ADDRESS = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/;

/** The address of another server of the carrier: https, or this machine. @param example e.g. `https://api.acme.example` */
export function AddressSetting(example: string): PropertyDecorator {
  return Matches(SAFE_ADDRESS, { message: `must be an https address, e.g. ${example}` });
}

/** Settings of their own under one name, or nothing. @param message e.g. `must be an object with clientId and clientSecret` */
export function OptionalGroup(settings: () => new () => object, message: string): PropertyDecorator {
  return all(IsOptional(), IsObject({ message }), ValidateNested(), Type(settings));
}

/** Codes of the carrier that mean one of our statuses. @param example as YAML, e.g. `{ "30": delivered }` */
export function StatusMapSetting(example: string): PropertyDecorator {
  const message = `must map codes of the carrier to ${TRACKING_STATUSES.join(', ')}, e.g. ${example}`;
  return ValidateBy({ name: 'statusMap', validator: { validate: isStatusMap, defaultMessage: () => message } });
}

/**
 * A class of settings from its decorators, for an author who writes JavaScript.
 * @param fields the decorator of each setting, e.g. `{ apiKey: TextSetting('must be the API key') }`
 * @param defaults values of missing settings
 */
export function settingsClass<Settings extends object>(
  fields: { readonly [Name in keyof Settings & string]: PropertyDecorator },
  defaults: Partial<Settings> = {},
): new () => Settings {
  class AccountSettings {
    constructor() {
      Object.assign(this, defaults);
    }
  }
  for (const [name, decorate] of Object.entries<PropertyDecorator>(fields)) decorate(AccountSettings.prototype, name);
  return AccountSettings as new () => Settings;
}

function isStatusMap(codes: unknown): boolean {
  if (!isJsonObject(codes)) return false;
  return Object.values(codes).every((status) => TRACKING_STATUSES.some((each) => each === status));
}

function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };
}
