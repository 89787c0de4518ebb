import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { nearestWord } from '../../../carriers/contract/plain-text.js';
import { toText } from '../../../carriers/toolkit/settings.js';
import { printingVocabulary, withTexts } from '../../printing/choose-profile.js';
import { MAX_COPIES, type PrintProfile, type ProfileSettings } from '../../printing/profile.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { queryProblems } from '../../routing/language/check-rule.js';
import type { SettingProblem } from '../environment.js';
import { flatten } from '../problems.js';

/** The narrowest and the widest label or sheet that printers of warehouses take. */
const [MIN_SIDE_MM, MAX_SIDE_MM] = [20, 420];
const MAX_PER_SHEET = 16;
const MAX_PROFILES = 50;
const MAX_USES = 200;
/** The resolution of most label printers. */
const USUAL_DPI = 203;
const NAME = /^[\w-]{1,50}$/;
const TEMPLATE = /^[a-z0-9][a-z0-9-]{0,49}$/;
/** The largest edit distance between a misspelled profile and the one that the message suggests. */
const FURTHEST_NAME = 3;

const SIDE = `must be ${MIN_SIDE_MM} to ${MAX_SIDE_MM} millimetres`;
const COPIES = `must be 1 to ${MAX_COPIES} copies`;
const PER_SHEET = `must be 1 to ${MAX_PER_SHEET} labels`;

class ProfileConfig {
  @IsIn(['pdf', 'zpl'], { message: 'must be pdf or zpl' })
  format: 'pdf' | 'zpl';

  @Side()
  widthMm?: number;

  @Side()
  heightMm?: number;

  @IsOptional()
  @IsIn([203, 300, 600], { message: 'must be 203, 300 or 600' })
  dpi?: 203 | 300 | 600;

  @IsOptional()
  @IsIn(['A4', 'A5', 'letter'], { message: 'must be A4, A5 or letter' })
  sheet?: 'A4' | 'A5' | 'letter';

  @IsOptional()
  @IsInt({ message: PER_SHEET })
  @Min(1, { message: PER_SHEET })
  @Max(MAX_PER_SHEET, { message: PER_SHEET })
  perSheet?: number;

  @IsOptional()
  @IsInt({ message: COPIES })
  @Min(1, { message: COPIES })
  @Max(MAX_COPIES, { message: COPIES })
  copies?: number;

  /** The name of a file `print-resource.<template>.json` beside the installation's own. */
  @IsOptional()
  @Matches(TEMPLATE, { message: 'must be small letters, digits and hyphens: NAME of print-resource.NAME.json' })
  template?: string;
}

class ProfileUseConfig {
  @IsDefined({ message: 'missing; {} matches every booking' })
  @IsObject({ message: 'must be an object; {} matches every booking' })
  when: Record<string, unknown>;

  @Transform(toText)
  @IsString({ message: 'must be the name of a profile' })
  profile: string;
}

export class PrintingConfig {
  @IsIn(['resource', 'document', 'none'], { message: 'must be resource, document or none' })
  mode: 'resource' | 'document' | 'none' = 'resource';

  @IsOptional()
  @IsObject({ message: 'must be an object of profiles by name' })
  profiles?: Record<string, ProfileConfig>;

  @IsOptional()
  @ArrayMaxSize(MAX_USES, { message: `must not have more than ${MAX_USES}` })
  @IsArray({ message: 'must be a list' })
  @ValidateNested({ each: true })
  @Type(() => ProfileUseConfig)
  use?: ProfileUseConfig[];

  /** Whether a sheet that tells of a failed booking is printed where the label would have been. */
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  errorSheet?: boolean;
}

function Side(): PropertyDecorator {
  return (target, name) => {
    const rules = [
      IsOptional(),
      IsNumber({}, { message: SIDE }),
      Min(MIN_SIDE_MM, { message: SIDE }),
      Max(MAX_SIDE_MM, { message: SIDE }),
    ];
    for (const rule of rules) rule(target, name);
  };
}

/** Ids that `when` can name; empty where they are not known because another section has problems. */
interface KnownIds {
  readonly areas: readonly string[];
  readonly carriers: readonly string[];
}

const UNPRINTABLE = { where: 'printing.errorSheet', rule: 'needs mode: resource, which prints a file' };

/** What is wrong with profiles and their use, beside what the section's own rules find. */
export function printingProblems(printing: unknown, known: KnownIds): readonly SettingProblem[] {
  if (!(printing instanceof PrintingConfig)) return [];
  const profiles = isJsonObject(printing.profiles) ? Object.entries(printing.profiles) : [];
  const use = Array.isArray(printing.use) ? printing.use : [];
  const tooMany = { where: 'printing.profiles', rule: `must not have more than ${MAX_PROFILES}` };
  return [
    ...(printing.errorSheet === true && printing.mode !== 'resource' ? [UNPRINTABLE] : []),
    ...(profiles.length > MAX_PROFILES ? [tooMany] : []),
    ...profiles.flatMap(([name, profile]) => profileProblems(name, profile, printing.mode)),
    ...use.flatMap((one, place) => useProblems(one, `printing.use[${place}]`, { ...known, profiles })),
  ];
}

function profileProblems(name: string, given: unknown, mode: PrintingConfig['mode']): readonly SettingProblem[] {
  const where = `printing.profiles.${name}`;
  if (!NAME.test(name)) return [{ where, rule: 'must have a name of up to 50 letters, digits, _ and -' }];
  if (!isJsonObject(given))
    return [{ where, rule: 'must be an object, e.g. { format: zpl, widthMm: 102, heightMm: 152 }' }];
  const profile = plainToInstance(ProfileConfig, given);
  const own = validateSync(profile, { whitelist: true, forbidNonWhitelisted: true });
  if (own.length > 0) return own.flatMap((error) => flatten(error, where));
  return contradictionsIn(profile, mode).map(([key, rule]) => ({ where: `${where}.${key}`, rule }));
}

/** Keys that say nothing together. */
function contradictionsIn(
  { format, widthMm, heightMm, sheet, perSheet, copies, template }: ProfileConfig,
  mode: PrintingConfig['mode'],
): readonly (readonly [key: string, rule: string])[] {
  const found: readonly (readonly [boolean, string, string])[] = [
    [heightMm !== undefined && widthMm === undefined, 'widthMm', 'missing; only a roll has one side, its widthMm'],
    [sheet !== undefined && format !== 'pdf', 'sheet', 'is only for format: pdf'],
    [perSheet !== undefined && sheet === undefined, 'perSheet', 'needs sheet: A4, A5 or letter'],
    [template !== undefined && mode !== 'resource', 'template', 'is only for printing.mode: resource'],
    [copies !== undefined && mode === 'none', 'copies', 'has no effect with printing.mode: none'],
  ];
  return found.flatMap(([is, key, rule]) => (is ? [[key, rule] as const] : []));
}

interface KnownToUse extends KnownIds {
  readonly profiles: readonly (readonly [string, unknown])[];
}

function useProblems(given: unknown, where: string, known: KnownToUse): readonly SettingProblem[] {
  if (!(given instanceof ProfileUseConfig)) return [];
  const names = known.profiles.map(([name]) => name);
  const { when, profile } = given;
  const unknown = typeof profile === 'string' && !names.includes(profile);
  const wrong = isJsonObject(when) ? queryProblems(withTexts(when), 'when', printingVocabulary(known)) : [];
  return [
    ...(unknown ? [{ where: `${where}.profile`, rule: unknownProfile(profile, names) }] : []),
    ...wrong.map(({ path, rule }) => ({ where: `${where}.${path}`, rule })),
  ];
}

function unknownProfile(profile: string, names: readonly string[]): string {
  const meant = nearestWord(profile, names, FURTHEST_NAME);
  const there = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  return `is not a profile of printing.profiles; ${there}${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** @param printing without problems */
export function profileSettings({ profiles = {}, use = [] }: PrintingConfig): ProfileSettings {
  return {
    profiles: Object.entries(profiles).map(([name, profile]) => toProfile(name, profile)),
    use: use.map(({ when, profile }) => ({ when, profile })),
  };
}

function toProfile(name: string, profile: ProfileConfig): PrintProfile {
  const { format, widthMm = null, heightMm = null, dpi = USUAL_DPI, sheet = null, perSheet = 1 } = profile;
  const { copies = 1, template = null } = profile;
  return { name, target: { format, widthMm, heightMm, dpi, sheet, perSheet }, copies, template };
}
