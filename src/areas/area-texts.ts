import { type Area, documentOfBooking } from './area.js';
import type { Messages, Readers } from '../messages/messages.js';

/** The texts of an area, in the words of its people. */
export function areaTexts(messages: Messages, readers: Readers): Pick<Area, 'language' | 'text' | 'phrase'> {
  const { language } = readers;
  return {
    language,
    text: ({ key, values, bookedOn: own }, bookedOn = 'packing-completed') =>
      messages.text({ language, bookOn: documentOfBooking(own ?? bookedOn, readers) }, key, values as never),
    phrase: (key, values) => messages.phrase(language, key, values),
  };
}
