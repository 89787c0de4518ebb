import { Transform } from 'class-transformer';
import { IsOptional, IsString, Matches } from 'class-validator';
import { toText } from '../../../carriers/toolkit/settings.js';

/** Numbers under which the owner of an account is registered; they stand on customs papers. */
export class CustomsConfig {
  @IsOptional()
  @Matches(/^[A-Z]{2}[A-Z0-9]{1,15}$/, { message: 'must be an EORI number, e.g. DK12345678' })
  eori?: string;

  @IsOptional()
  @Transform(toText)
  @IsString({ message: 'must be a VAT number' })
  @Matches(/^[A-Z0-9 ]{4,20}$/i, { message: 'must be a VAT number, e.g. DK12345678' })
  vat?: string;

  @IsOptional()
  @Transform(toText)
  @Matches(/^\d{7}$/, { message: 'must be a VOEC number of 7 digits, e.g. 2012345' })
  voec?: string;

  @IsOptional()
  @Matches(/^IM\d{10}$/, { message: 'must be an IOSS number, e.g. IM2080001234' })
  ioss?: string;
}
