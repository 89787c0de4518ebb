import { describe, expect, it } from '@jest/globals';
import { render } from '../../src/cli/new-carrier/render.js';

const names = { id: 'acme-nord', name: 'Acme Nord & Søn' };
const answers = { auth: 'basic', parcels: 'several', labels: 'answer', search: 'no', form: 'package' } as const;

describe('the template of a new carrier', () => {
  it('keeps the lines that fit one of the answers, without the condition', () => {
    const text = 'a; //? header basic\nb; //? query\nc; //? !search\nd; //? !several\ne;';
    expect(render(text, names, answers)).toBe('a;\nc;\ne;');
  });

  it('keeps the blocks that fit', () => {
    const text = '//?{ basic\none\ntwo //? search\n//?}\n//?{ oauth\nthree\n//?}\nfour';
    expect(render(text, names, answers)).toBe('one\nfour');
  });

  it('puts in the id, the name, and names for programs', () => {
    expect(render("id: 'acme', name: 'Acme', acmeApi, fromAcmeEvents, ACME_KEY", names, answers)).toBe(
      "id: 'acme-nord', name: 'Acme Nord & Søn', acmeNordApi, fromAcmeNordEvents, ACME_NORD_KEY",
    );
  });

  it('keeps types, and what only TypeScript has, in a folder of this repository alone', () => {
    const text =
      'import type { Call } from "x"; //? ts\nfunction ask(call /*ts: Call */) /*ts: string */ {\nplugIn(); //? !ts';
    expect(render(text, names, answers)).toBe('function ask(call) {\nplugIn();');
    expect(render(text, names, { ...answers, form: 'folder' })).toBe(
      'import type { Call } from "x";\nfunction ask(call: Call): string {',
    );
  });
});
