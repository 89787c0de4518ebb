import type { Request } from 'express';
import { LANGUAGES, type Language } from '../../messages/keys.js';
import { oneWord } from '../openapi/parameters.js';

/** The language of reasons; without it `Accept-Language` decides. */
export const lang = oneWord(LANGUAGES, 'The language of the reasons; without it `Accept-Language` decides', null);

export function requestLanguage(request: Request, wanted: Language | null): Language {
  if (wanted !== null) return wanted;
  const accepted = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? LANGUAGES[0];
}
