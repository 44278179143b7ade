import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  bringNode,
  newestBelow,
  nodePackage,
  offeredVersions,
  supportedNodes,
} from './runner/newest-node.ts'

const usage = 'npm run test:newest-node -- [--short] [--version X.Y.Z] [part of a path]...'

// What meets Node most closely: the engine, the workers, and everything on raw connections.
const short = ['src/http/server/', 'documented-means', 'keep-alive', 'whole-answers']
const long = [
  ...short,
  'aborts.test',
  'graceful-close',
  'http-framing',
  'http-limits',
  'http-targets',
  'idle-sockets',
  'process/tls.test',
  'process/uploads',
  'process/workers.test',
  'throwables.test',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, version: { type: 'string' } },
})

const root = join(import.meta.dirname, '..', '..')
const name = nodePackage(process.platform, process.arch)
if (name === null)
  throw new Error(`npm has no Node for ${process.platform} ${process.arch}: ${usage}`)
const { below } = supportedNodes(root)
const version = values.version ?? newestBelow(await offeredVersions(root, name), below)
if (version === null) throw new Error(`${name} has no version below ${below}`)

const node = await bringNode(root, name, version)
const usual = values.short ? short : long
const filters = positionals.length > 0 ? positionals : usual
console.log(`on Node ${version} (${name})`)
const { status } = spawnSync(node, [join(import.meta.dirname, 'run.ts'), ...filters], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
