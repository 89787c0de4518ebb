import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import ts from 'typescript';

/** A manifest as it is rendered. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

const packages = createRequire(resolve('package.json'));

/**
 * Checks manifests twice with kubernetes-models: by its schemas (types, formats, what is required), which let unknown fields
 * pass as a cluster does, and by its types, which do not.
 * @returns what is wrong, with the place; empty when the manifests are right
 */
export function manifestProblems(manifests: readonly Manifest[]): readonly string[] {
  return [...manifests.flatMap(schemaProblems), ...unknownFields(manifests)];
}

function schemaProblems(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest;
  const model = packages(`kubernetes-models/${apiVersion}/${kind}`) as Readonly<
    Record<string, new (data: Manifest) => { validate(): void }>
  >;
  const Model = model[kind];
  if (Model === undefined) return [`${kind}: ${apiVersion} has no such kind`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`];
  }
}

/** Compiles the manifests as literals of their types. */
function unknownFields(manifests: readonly Manifest[]): readonly string[] {
  const file = resolve('rendered-manifests.ts');
  const source = manifests
    .map(({ apiVersion, kind }, index) => {
      const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifests[index])};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '; '));
}
