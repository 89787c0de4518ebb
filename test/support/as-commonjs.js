import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTransformer } from '@swc/jest';

/*
 * Jest's transformer of what this project wrote. Jest instantiates CommonJS in half the time of ECMAScript modules, so tests run
 * the source as CommonJS; that the program works as the modules it is, is seen by the tests that start it built.
 */

const swc = createTransformer({
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'commonjs' },
});

const ownText = readFileSync(fileURLToPath(import.meta.url));

export default {
  process(source, file, options) {
    return swc.process(
      source.replaceAll('import.meta.url', "require('node:url').pathToFileURL(__filename).href"),
      file,
      options,
    );
  },
  getCacheKey(source, file, options) {
    return createHash('sha256')
      .update(swc.getCacheKey(source, file, options))
      .update(ownText)
      .digest('hex')
      .slice(0, 32);
  },
};
