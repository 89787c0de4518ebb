/** A pick-up point of a simulated carrier, nearest first. */
export interface SimulatedPoint {
  readonly id: string;
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly kind: 'manned' | 'locker';
  readonly distanceM: number;
}

/** The simulated points are the same near every address. */
export const SIMULATED_POINTS: readonly SimulatedPoint[] = [
  { id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', city: 'Testby', kind: 'manned', distanceM: 640 },
  { id: '700002', name: 'Pakkeboks 7', street: 'Stationsvej 1', city: 'Testby', kind: 'locker', distanceM: 1_100 },
  { id: '700003', name: 'Prøvehandel', street: 'Torvet 12', city: 'Testby', kind: 'manned', distanceM: 2_350 },
];

/** The point with an id, or the nearest ones. */
export function simulatedPoints({ id, limit = Infinity }: PointsQuery): readonly SimulatedPoint[] {
  return id ? SIMULATED_POINTS.filter((point) => point.id === id) : SIMULATED_POINTS.slice(0, limit);
}

interface PointsQuery {
  readonly id?: string | undefined;
  readonly limit?: number;
}
