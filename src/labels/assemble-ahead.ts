import { isDeepStrictEqual } from 'node:util';
import type { AssembledLabels, LabelToPrint } from './assemble.js';
import type { LabelTarget } from './conversion/target.js';

type Assemble = (labels: readonly LabelToPrint[], target: LabelTarget | null) => Promise<AssembledLabels>;

interface Begun {
  readonly labels: readonly LabelToPrint[];
  readonly target: LabelTarget | null;
  readonly file: Promise<AssembledLabels>;
}

export interface AssemblyAhead {
  readonly assemble: Assemble;
  /** Starts to assemble the file while the labels are being stored. The next `assemble` of the same labels for the same target waits for that file. */
  readonly begin: (labels: readonly LabelToPrint[], target: LabelTarget | null) => void;
}

/** Compares buffers by identity: labels that are read again from the database are assembled again. */
export function assemblyAhead(assemble: Assemble): AssemblyAhead {
  const begun = new WeakMap<Uint8Array, Begun>();
  return {
    begin: (labels, target) => {
      const [first] = labels;
      if (first === undefined) return;
      const file = assemble(labels, target);
      // The step that waits for the file gets the failure. When no step waits, the labels are assembled later.
      file.catch(() => undefined);
      begun.set(first.bytes, { labels, target, file });
    },
    assemble: (labels, target) => {
      const [first] = labels;
      const known = first && begun.get(first.bytes);
      if (!first || !known) return assemble(labels, target);
      begun.delete(first.bytes);
      return isSame(known, { labels, target }) ? known.file : assemble(labels, target);
    },
  };
}

type Wanted = Omit<Begun, 'file'>;

function isSame(begun: Wanted, wanted: Wanted): boolean {
  return (
    isDeepStrictEqual(begun.target, wanted.target) &&
    begun.labels.length === wanted.labels.length &&
    begun.labels.every(({ bytes }, place) => bytes === wanted.labels[place]?.bytes) &&
    wanted.labels.every(({ only }) => only === undefined)
  );
}
