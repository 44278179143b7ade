/** The `tsconfig.json` of a new project, for type checking only: Node runs TypeScript itself. */
export function projectTsconfig(): string {
  const config = {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    exclude: ['node_modules', 'storage', 'vendor'],
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
