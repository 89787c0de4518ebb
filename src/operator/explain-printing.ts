import type { LabelForm } from '../../carriers/contract/traits.js';
import type { LabelTarget } from '../labels/conversion/target.js';
import type { ShipmentPlan } from '../planning/plan-shipment.js';
import {
  type CompiledProfiles,
  type PrintedBooking,
  type ProfileVerdict,
  explainProfile,
} from '../printing/choose-profile.js';
import { labelFormFor } from '../printing/label-form.js';
import type { PrintProfile } from '../printing/profile.js';

/** How the labels of a shipment would be printed, and why. */
export interface ExplainedPrinting {
  /** `null`: no entry matches, and labels are printed as they come. */
  readonly profile: string | null;
  readonly target: LabelTarget | null;
  readonly copies: number;
  readonly template: string | null;
  /** An earlier entry cannot be judged before the booking. */
  readonly provisional: boolean;
  /** The form of the labels that the carrier would be asked for; `null`: the adapter chooses it. */
  readonly labelForm: LabelForm | null;
  /** Each entry of `printing.use`. */
  readonly use: readonly ProfileVerdict[];
}

interface About {
  readonly area: string;
  readonly plan: ShipmentPlan;
  readonly event: PrintedBooking['event'];
}

/** @returns `null`: there are no profiles, or no carrier is chosen */
export function explainedPrinting(
  { profiles }: { readonly profiles?: CompiledProfiles },
  { area, plan: { order }, event }: About,
): ExplainedPrinting | null {
  if (profiles === undefined || order === null) return null;
  const { account, service, shipment } = order;
  const country = shipment.deliveryAddress?.countryCode ?? null;
  const booking = { area, carrier: account.adapter.id, service, country, event };
  const { profile, verdicts } = explainProfile(profiles, booking);
  return {
    ...(profile === null ? AS_THEY_COME : chosen(profile, account.adapter.traits.labels, service)),
    provisional: verdicts.some(({ outcome }) => outcome === 'not-known-yet'),
    use: verdicts,
  };
}

type How = Omit<ExplainedPrinting, 'provisional' | 'use'>;

const AS_THEY_COME: How = { profile: null, target: null, copies: 1, template: null, labelForm: null };

function chosen(profile: PrintProfile, forms: readonly LabelForm[], service: string | null): How {
  const { name, target, copies, template } = profile;
  return { profile: name, target, copies, template, labelForm: labelFormFor(forms, service, target) };
}
