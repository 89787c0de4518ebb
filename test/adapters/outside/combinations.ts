import { QUESTIONS } from '../../../src/cli/new-carrier/new-carrier.js';
import type { NewCarrierAnswers } from '../../../src/cli/new-carrier/render.js';

const [AUTH = [], PARCELS = [], LABELS = [], SEARCH = []] = QUESTIONS.map(({ choices }) => choices);

/** Answers to the questions of `new-carrier`: each pair of answers to two questions is in one of these. */
export const COMBINATIONS = AUTH.flatMap((auth, index) =>
  [0, 1].map((one) => ({
    auth,
    parcels: PARCELS[one],
    labels: LABELS[one ^ (index & 1)],
    search: SEARCH[one ^ (index >> 1)],
  })),
) as readonly NewCarrierAnswers[];
