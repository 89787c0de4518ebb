import { readFileSync, readdirSync } from 'node:fs';

/** What an application of the vendor of the IMS sends to a carrier for a shipment. */
export interface VendorForm {
  /** The name of its file. */
  readonly story: string;
  readonly source: string;
  /** As the IMS answers them. */
  readonly shipment: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly seller: Readonly<Record<string, unknown>> | null;
  /** The account's `config`. */
  readonly account: Readonly<Record<string, unknown>>;
  /** Which of several requests for the shipment it is, counted from 1; the only one when it is missing. */
  readonly part?: number;
  /** What a rule of ours says for the same parcel. */
  readonly use?: { readonly options?: Readonly<Record<string, unknown>> };
  /** The carrier's `dataDocument`. */
  readonly instructions?: Readonly<Record<string, unknown>>;
  readonly sent: {
    readonly method: 'GET' | 'POST';
    /** Below the carrier's base address. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** All forms in `fixtures/<carrier>/vendor/*.json`. */
export function vendorForms(carrier: string): readonly (readonly [story: string, form: VendorForm])[] {
  const folder = new URL(`./fixtures/${carrier}/vendor/`, import.meta.url);
  return readdirSync(folder).map((file) => {
    const story = file.replace(/\.json$/, '').replaceAll('-', ' ');
    const form = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<VendorForm, 'story'>;
    return [story, { ...form, story }];
  });
}

/** Sends it as it is. */
export async function sendForm(
  baseUrl: string,
  { method, path, headers, query, body }: VendorForm['sent'],
): Promise<unknown> {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${baseUrl}${path}${search}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...json,
  });
  const said = await answer.text();
  return { status: answer.status, json: said.startsWith('{') ? (JSON.parse(said) as unknown) : said };
}
