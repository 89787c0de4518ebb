import { IsOptional } from 'class-validator';
import { ChoiceSetting, OptionalPattern, PatternSetting, StatusMapSetting, TextSetting } from '../toolkit/settings.js';
import type { ExplainedCodes } from '../toolkit/tracking/explained-codes.js';

/** What HomeRunner gives a customer; the names of the first two are those of `CoolRunnerTransport` in the IMS. */
export class HomerunnerConfig {
  /** The e-mail address of the account. */
  @TextSetting('must be the e-mail address of the account at HomeRunner')
  userName: string;

  @TextSetting('must be the API token from HomeRunner')
  token: string;

  /** For shipments without a rule, and for pick-up points. Missing: each rule names one, and no points are found. */
  @OptionalPattern(/^[a-z\d_-]+$/, 'must be a carrier as HomeRunner writes it, e.g. gls')
  carrier?: string;

  @ChoiceSetting(['LabelPrint', 'A4'])
  labelFormat: 'LabelPrint' | 'A4' = 'LabelPrint';

  /** The currency of the prices in HomeRunner's list, which names none. */
  @PatternSetting(/^[A-Z]{3}$/, 'must be a currency, e.g. DKK')
  currency: string = 'DKK';

  /** What the events of tracking mean: HomeRunner publishes no list. */
  @IsOptional()
  @StatusMapSetting('{ in_transit: in-transit }')
  trackingCodes: ExplainedCodes = {};
}
