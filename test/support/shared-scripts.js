import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import jestRuntime from 'jest-runtime';

/*
 * Jest compiles each module again for each file of tests. A script of `node:vm` is compiled once for each process and runs in the
 * context of every file of tests: what V8 compiled for one file serves the next. Modules are still instantiated for each file.
 */

/** By file: the text of a module as Jest transformed it, and its script. */
const compiled = new Map();

export default class SharedScripts extends jestRuntime {
  constructor(...options) {
    super(...options);
    // For WebAssembly, which the database of most files is: a file of tests ends before code that runs faster has paid for its
    // compiling. Set for each file: one before may have wanted other code (test/labels/optimised-wasm.ts).
    setFlagsFromString('--liftoff-only');
    const { executor } = this;
    const parameters = executor.injectedModuleParameters.join(', ');
    const environment = options[1];
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = environment.getVmContext();
      const script = context && scriptOf(source, filename, parameters);
      return script ? script.runInContext(context) : compile(source, filename);
    };
  }
}

/** @returns `null` when it cannot be compiled: Jest says why */
function scriptOf(source, filename, parameters) {
  const before = compiled.get(filename);
  if (before?.source === source) return before.script;
  try {
    const script = new Script(`(function (${parameters}) {${source}\n})`, { filename });
    compiled.set(filename, { source, script });
    return script;
  } catch {
    return null;
  }
}
