import type { LabelDrawing } from '../contract/index.js';
import { drawTemplate } from '../toolkit/label-template/draw.js';

/** Draws labels as Waybridge does, in this process. */
export const drawnHere: LabelDrawing = { draw: drawTemplate };
