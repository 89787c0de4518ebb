import type { LabelDrawing } from '../contract/index.js';

/** Draws labels as Waybridge does, in this process. What draws is loaded then: the service itself imports the cases, and draws none. */
export const drawnHere: LabelDrawing = {
  draw: async (template, labels) => (await import('../toolkit/label-template/draw.js')).drawTemplate(template, labels),
};
