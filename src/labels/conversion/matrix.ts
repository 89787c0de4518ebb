/** `[a b c d e f]` of PDF 1.7, 8.3.3: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `x` and `y` are of the lower left corner. */
export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export const moved = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];
export const scaled = (times: number): Matrix => [times, 0, 0, times, 0, 0];

/** Applies the first matrix, then the next ones. */
export function inTurn(first: Matrix, ...next: readonly Matrix[]): Matrix {
  return next.reduce<Matrix>(
    ([a, b, c, d, e, f], [g, h, i, j, k, l]) => [
      ...([a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j] as const),
      ...([e * g + f * i + k, e * h + f * j + l] as const),
    ],
    first,
  );
}

/** Turns an area of that size clockwise; its lower left corner stays at 0, 0. */
export function turned(quarters: number, { width, height }: Size): Matrix {
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return [0, -1, 1, 0, 0, width];
    case 2:
      return [-1, 0, 0, -1, width, height];
    case 3:
      return [0, 1, -1, 0, height, 0];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** @param matrix of a scale that is not 0 */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const by = a * d - b * c;
  return [d / by, -b / by, -c / by, a / by, (c * f - d * e) / by, (b * e - a * f) / by];
}

/** The box that encloses another one after the matrix. */
export function boxAfter([a, b, c, d, e, f]: Matrix, { x, y, width, height }: Box): Box {
  const corners = [x, x + width].flatMap((across) => [y, y + height].map((up) => ({ across, up })));
  const xs = corners.map(({ across, up }) => a * across + c * up + e);
  const ys = corners.map(({ across, up }) => b * across + d * up + f);
  const [left, low] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: low, width: Math.max(...xs) - left, height: Math.max(...ys) - low };
}
