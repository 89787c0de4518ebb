import type { Request } from 'express';
import { addressWith } from './inbox/list-address.js';
import type { ShownArea } from './page-deps.js';

/** The pages that show one area or all: their address says which. */
const PAGES = ['/', '/needs-a-person', '/consignments', '/parcels', '/manifests', '/inbox', '/dead-letters'];
/** What belongs to the areas that were chosen before. */
const LEFT_OUT = ['area', 'cursor', 'cause'];

/** The choice of an area in the top bar. */
export interface AreaChoice {
  /** Where the form leads: the page that is open. */
  readonly path: string;
  /** `null`: all, or several. */
  readonly chosen: string | null;
  readonly areas: readonly string[];
  /** The rest of the address. */
  readonly kept: readonly { readonly name: string; readonly value: string }[];
}

/** `null`: there is one area only, or the page is not about areas. */
export function areaChoiceOf(areas: readonly ShownArea[], request: Request): AreaChoice | null {
  const { path, query, method } = request;
  if (areas.length < 2 || method !== 'GET' || !PAGES.includes(path)) return null;
  const kept = Object.entries(query).flatMap(([name, given]) =>
    LEFT_OUT.includes(name) ? [] : textsOf(given).map((value) => ({ name, value })),
  );
  return { path, chosen: chosenArea(areas, request), areas: areas.map(({ contextId }) => contextId), kept };
}

/** The address of a page of the side bar: the area that is chosen stays. */
export function hrefOf(href: string, areas: readonly ShownArea[], request: Request): string {
  return PAGES.includes(href) ? addressWith(href, { area: chosenArea(areas, request) }) : href;
}

function chosenArea(areas: readonly ShownArea[], { query }: Request): string | null {
  return areas.find(({ contextId }) => contextId === query['area'])?.contextId ?? null;
}

function textsOf(given: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  return all.filter((each) => typeof each === 'string');
}
