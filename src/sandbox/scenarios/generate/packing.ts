import type { JsonMembers } from '../../store/json.js';
import type { Item } from './products.js';
import { litresOf } from './products.js';

/** A number of pieces of one item. */
export interface Quantity {
  readonly item: Item;
  readonly pieces: number;
}

interface Box {
  readonly containerTypeName: string;
  /** Outer dimensions in metres, longest side first. */
  readonly sizeM: readonly [length: number, width: number, height: number];
  readonly tareKg: number;
  readonly mostKg: number;
}

/** Largest weight of a box's content, which one packer can lift. */
const HEAVIEST_CONTENT_KG = 15;

/** Smallest box first. */
const BOXES: readonly Box[] = [
  { containerTypeName: 'Padded envelope', sizeM: [0.35, 0.25, 0.06], tareKg: 0.04, mostKg: 1 },
  { containerTypeName: 'Box S', sizeM: [0.3, 0.2, 0.15], tareKg: 0.12, mostKg: 5 },
  { containerTypeName: 'Box M', sizeM: [0.4, 0.3, 0.25], tareKg: 0.28, mostKg: HEAVIEST_CONTENT_KG },
  { containerTypeName: 'Box long', sizeM: [0.6, 0.25, 0.25], tareKg: 0.42, mostKg: HEAVIEST_CONTENT_KG },
  { containerTypeName: 'Box L', sizeM: [0.6, 0.4, 0.4], tareKg: 0.65, mostKg: HEAVIEST_CONTENT_KG },
  { containerTypeName: 'Box XL', sizeM: [0.9, 0.35, 0.3], tareKg: 0.8, mostKg: HEAVIEST_CONTENT_KG },
];

/** The share of a box's volume that pieces may fill; air and padding take the rest. */
const FILLED = 0.75;
/** Size and weight that wrapping adds to a piece that fits into no box. */
const WRAPPING_M = 0.02;
const WRAPPING_KG = 0.15;

/**
 * Packs like a packer: adds pieces to a parcel until no box holds one more, and puts each parcel into the smallest box
 * that holds it.
 */
export function packParcels(quantities: readonly Quantity[]): readonly JsonMembers[] {
  const pieces = quantities.flatMap(({ item, pieces: count }) => Array.from({ length: count }, () => item));
  const bulky = pieces.filter((item) => smallestBox([item]) === null);
  const boxable = pieces.filter((item) => smallestBox([item]) !== null);
  return [...parcelsOf(boxable).map(boxed), ...bulky.map(wrapped)];
}

function parcelsOf(pieces: readonly Item[]): readonly (readonly Item[])[] {
  return pieces.reduce<readonly (readonly Item[])[]>((parcels, piece) => {
    const last = parcels.at(-1);
    if (last === undefined) return [[piece]];
    const together = [...last, piece];
    return smallestBox(together) !== null ? [...parcels.slice(0, -1), together] : [...parcels, [piece]];
  }, []);
}

function smallestBox(pieces: readonly Item[]): Box | null {
  const litres = pieces.reduce((sum, { product }) => sum + litresOf(product), 0);
  const weightKg = weightOf(pieces);
  return (
    BOXES.find(
      (box) => box.mostKg >= weightKg && roomOf(box) >= litres && pieces.every((piece) => goesInto(piece, box)),
    ) ?? null
  );
}

function roomOf({ sizeM: [length, width, height] }: Box): number {
  return length * width * height * 1000 * FILLED;
}

function goesInto({ product }: Item, box: Box): boolean {
  const sides = [...product.sizeM].sort((a, b) => b - a);
  return box.sizeM.every((side, index) => (sides[index] ?? 0) <= side);
}

function boxed(pieces: readonly Item[]): JsonMembers {
  const box = smallestBox(pieces);
  if (box === null) throw new Error('a parcel that no box holds');
  const [length, width, height] = box.sizeM;
  const grossWeight = kilograms(weightOf(pieces) + box.tareKg);
  return { containerTypeName: box.containerTypeName, grossWeight, dimensions: { length, width, height } };
}

function wrapped(item: Item): JsonMembers {
  const [length = 0, width = 0, height = 0] = item.product.sizeM.map((side) => centimetres(side + WRAPPING_M));
  const grossWeight = kilograms(item.product.weightKg + WRAPPING_KG);
  return { containerTypeName: 'Own packaging', grossWeight, dimensions: { length, width, height } };
}

function weightOf(pieces: readonly Item[]): number {
  return pieces.reduce((sum, { product }) => sum + product.weightKg, 0);
}

function kilograms(weight: number): number {
  return Math.round(weight * 1000) / 1000;
}

function centimetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}
