import { TextSetting } from '../toolkit/settings.js';

export class PretendConfig {
  /** Any text but `wrong`, which is refused. */
  @TextSetting('must be any text')
  readonly apiKey: string;
}
