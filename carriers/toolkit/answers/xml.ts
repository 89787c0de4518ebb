/* Reads flat XML: the text of named elements, without a parser. */

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** A document of any root but a page's. */
const XML = /^\s*(<\?xml[^>]*\?>)?\s*<(?!html|!doctype)\w/i;

export function isXml(text: string): boolean {
  return XML.test(text);
}

/** The content of each element of this name; elements with attributes, with a namespace or of this name inside are not read. */
export function elementsIn(xml: string, name: string): readonly string[] {
  return xml.split(`</${name}>`).flatMap((part, index, parts) => {
    const start = part.lastIndexOf(`<${name}>`);
    return start < 0 || index === parts.length - 1 ? [] : [part.slice(start + name.length + 2)];
  });
}

/** The text of the first element of this name; `null`: it is missing, or empty. */
export function elementText(xml: string, name: string): string | null {
  const [text] = elementsIn(xml, name);
  return text?.replace(/&(\w+|#\d+|#x[\da-f]+);/gi, decoded).trim() || null;
}

/** Elements with these texts, in their order. */
export function elementsOf(texts: Readonly<Record<string, unknown>>): string {
  const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return Object.entries(texts)
    .map(([name, text]) => `<${name}>${escaped(String(text))}</${name}>`)
    .join('');
}

function decoded(entity: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? entity;
  const code = Number(name.replace('#x', '0x').replace('#X', '0x').replace('#', ''));
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
