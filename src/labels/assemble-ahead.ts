import type { Label } from '../../carriers/contract/model.js';
import type { AssembledLabels } from './assemble.js';

type Assemble = (labels: readonly Label[]) => Promise<AssembledLabels>;

interface Begun {
  readonly labels: readonly Label[];
  readonly file: Promise<AssembledLabels>;
}

export interface AssemblyAhead {
  readonly assemble: Assemble;
  /** Starts to assemble the file while the labels are being stored. The next `assemble` of the same labels waits for that file. */
  readonly begin: (labels: readonly Label[]) => void;
}

/** Compares buffers by identity: labels that are read again from the database are assembled again. */
export function assemblyAhead(assemble: Assemble): AssemblyAhead {
  const begun = new WeakMap<Uint8Array, Begun>();
  return {
    begin: (labels) => {
      const [first] = labels;
      if (first === undefined) return;
      const file = assemble(labels);
      // The step that waits for the file gets the failure. When no step waits, the labels are assembled later.
      file.catch(() => undefined);
      begun.set(first.bytes, { labels, file });
    },
    assemble: (labels) => {
      const [first] = labels;
      const known = first && begun.get(first.bytes);
      if (!first || !known) return assemble(labels);
      begun.delete(first.bytes);
      return isSame(known.labels, labels) ? known.file : assemble(labels);
    },
  };
}

function isSame(some: readonly Label[], others: readonly Label[]): boolean {
  return some.length === others.length && some.every(({ bytes }, place) => bytes === others[place]?.bytes);
}
