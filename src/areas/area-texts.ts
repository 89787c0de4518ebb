import type { Area } from './area.js';
import type { Language } from '../messages/keys.js';
import type { Messages } from '../messages/messages.js';

/** The texts of an area, in its language. */
export function areaTexts(messages: Messages, language: Language): Pick<Area, 'language' | 'text' | 'phrase'> {
  return {
    language,
    text: (message) => messages.text(language, message.key, message.values as never),
    phrase: (key, values) => messages.phrase(language, key, values),
  };
}
