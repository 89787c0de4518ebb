import { TextSetting } from '../toolkit/index.js';

export class PretendConfig {
  /** Any text but `wrong`, which is refused. */
  @TextSetting('must be any text')
  readonly apiKey: string;
}
