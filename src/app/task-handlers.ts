import { identifyDocument } from '../intake/identify-document.js';
import { handingOver } from '../manifests/tell.js';
import { lookAtDeliveryNote } from '../tasks/check-delivery-note.js';
import { chooseForShipment } from '../tasks/choose-carrier.js';
import type { TaskHandlers } from '../tasks/task.js';

export const taskHandlers: TaskHandlers = {
  'choose-carrier': { perform: chooseForShipment },
  'look-at-delivery-note': { perform: lookAtDeliveryNote },
  'identify-document': { perform: identifyDocument },
  'hand-over': handingOver,
};
