/** Paths, parameters and words of DAO's API, in its Danish spelling: see Sources in this folder's README. */

/** DAO has no product codes: the path is the product. */
export const ORDER_PATHS = {
  home: '/DAODirekte/leveringsordre.php',
  'pickup-point': '/DAOPakkeshop/leveringsordre.php',
  abroad: '/DAODirekte/UdlandLeveringsOrdre.php',
} as const;

export type DaoService = keyof typeof ORDER_PATHS;

export const SERVICES: readonly DaoService[] = ['home', 'pickup-point', 'abroad'];

export const LABEL_PATH = '/HentLabel.php';

export const CANCEL_PATH = '/AnnullerePakke.php';

/** DAO's list of its error codes. */
export const CODES_PATH = '/FejlKoder.php';

export const TRACK_PATH = '/TrackNTrace_v2.php';

export type DaoQuery = Readonly<Record<string, string>>;

export interface DaoOrder {
  readonly path: string;
  /** Without the account's own parameters. */
  readonly query: DaoQuery;
}

/** Stands in `status` of every JSON answer; the HTTP status is 200 either way. */
export const FAILED = 'FEJL';
export const OK = 'OK';

/** `shopid` that lets DAO choose the pick-up point nearest to the recipient. */
export const NEAREST_SHOP = '0';

/** Of our settings: the recipient need not show anything. */
export const NO_DEMAND = 'none';
