import { IsNotEmpty, IsString } from 'class-validator';

export class PretendConfig {
  /** Any text but `wrong`, which is refused. */
  @IsString()
  @IsNotEmpty()
  readonly apiKey: string;
}
