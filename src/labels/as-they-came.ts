import type { AssembledLabels, LabelToPrint } from './assemble.js';
import type { LabelTarget } from './conversion/target.js';

type Assemble = (labels: readonly LabelToPrint[], target: LabelTarget | null) => Promise<AssembledLabels>;

const NOT_CONVERTED = 'it could not be converted for the printer';

/**
 * Labels for a target; where they cannot be converted, as the carrier gave them: a label of another size is better than none.
 * @throws LabelUnusable they cannot be printed as they came either
 */
export async function convertedOrAsTheyCame(
  assemble: Assemble,
  labels: readonly LabelToPrint[],
  target: LabelTarget | null,
): Promise<AssembledLabels> {
  if (target === null) return assemble(labels, null);
  try {
    return await assemble(labels, target);
  } catch (error) {
    const asTheyCame = await assemble(labels, null);
    const because = `${NOT_CONVERTED}: ${error instanceof Error ? error.message : String(error)}`;
    return { ...asTheyCame, leftAsTheyCame: labels.map((_label, at) => ({ position: at + 1, because })) };
  }
}
