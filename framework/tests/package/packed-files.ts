import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Static files of a module, which are sent as they are. */
const served = /^dist\/[a-z]+\/module\/public\/.+\.(css|js|svg)$/

const wanted = [
  /^(dist\/)?package\.json$/,
  /^(README\.md|LICENSE)$/,
  /^bin\/(framework\.js|node-version\.cjs)$/,
  /^dist\/[a-z0-9]+\/.+\.(js|js\.map|d\.ts)$/,
  /^dist\/errors\/page\/developer\.css$/,
  /^dist\/accounts\/passwords\/common-(passwords\.br|password-parts\.txt)$/,
  served,
  /^dist\/(accounts\/module|devtools\/[\w-]+|inbox|openapi)\/views\/.+\.template\.html$/,
  /^dist\/(accounts\/module|http)\/messages\/[a-z]+\.json$/,
  /^make\/[a-z]+\/(next|[a-z]+\/.+\.(ts|html))\.eta$/,
  /^scaffold\/(?!(.*\/)?((node_modules|storage|dist)\/|\.env(?!\.example$))).+$/,
]

/**
 * Checks the files of an unpacked package: only what users need, no tests of the
 * framework, maps that contain their sources, and no paths of the build machine.
 */
export function checkPackedFiles(folder: string, machinePaths: readonly string[]): string[] {
  const files = allFiles(folder)
  const findings: string[] = []
  for (const file of files) {
    if (!wanted.some((pattern) => pattern.test(file))) findings.push(`${file} is not expected`)
    if (/^dist\/.*\.test\./.test(file)) findings.push(`${file} is a test`)
    const content = readFileSync(join(folder, file), 'utf8')
    const path = machinePaths.find((machinePath) => content.includes(machinePath))
    if (path !== undefined) findings.push(`${file} names ${path}`)
    findings.push(...mapObjections(file, content, new Set(files)))
  }
  return findings
}

/** Every file, including dotfiles: a secret in `.env` would be one. */
function allFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

function mapObjections(file: string, content: string, files: Set<string>): string[] {
  if (served.test(file)) return []
  if (/^dist\/.*\.js$/.test(file)) return files.has(`${file}.map`) ? [] : [`${file} has no map`]
  if (!file.endsWith('.js.map')) return []
  const { sources, sourcesContent } = JSON.parse(content)
  const expected = file.replace(/^dist\//, 'src/').replace(/\.js\.map$/, '.ts')
  const up = '../'.repeat(file.split('/').length - 1)
  if (sources[0] !== up + expected) return [`${file} maps to ${sources[0]}, not ${up + expected}`]
  return typeof sourcesContent?.[0] === 'string' ? [] : [`${file} does not hold its source`]
}
