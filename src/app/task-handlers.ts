import { identifyingDocument } from '../intake/identify-document.js';
import { handingOver } from '../manifests/handover-task.js';
import { checkDeliveryNote } from '../tasks/check-delivery-note.js';
import { choosingCarrier } from '../tasks/choose-carrier-task.js';
import type { TaskHandlers } from '../tasks/task.js';

export const taskHandlers: TaskHandlers = {
  'choose-carrier': choosingCarrier,
  'check-delivery-note': { perform: checkDeliveryNote },
  'identify-document': identifyingDocument,
  handover: handingOver,
};
