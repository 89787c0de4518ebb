export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= least;
}
