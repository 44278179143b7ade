import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readBarrels } from './barrels.ts'
import { compileConsumer } from './compile-consumer.ts'
import { exportedSubpaths } from './exports-map.ts'
import { importedNames } from './imported-names.ts'
import { npm } from './npm.ts'
import { olderNodes } from './older-nodes.ts'
import { packedFramework } from './pack-framework.ts'
import { checkPackedFiles } from './packed-files.ts'

const framework = join(import.meta.dirname, '..', '..')
const barrels = [...readBarrels(framework).values()]
// A published bcrypt test vector, for the password U*U.
const bcryptVector = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
let folder = ''
let consumer = ''
let installed = ''

before(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'framework-packed-'))
    consumer = join(folder, 'consumer')
    installed = join(consumer, 'node_modules', 'framework')
    await mkdir(consumer)
    await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')
    const tarball = await packedFramework()
    console.log(`the packed framework has ${Math.ceil(statSync(tarball).size / 1024)} KiB`)
    await npm(consumer, 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
    // Every subpath but framework/kysely works without its peers.
    await npm(consumer, 'install', '--prefer-offline', '--no-audit', '--no-fund', 'kysely@0.29')
  },
  { timeout: 290_000 },
)

after(() => rm(folder, { recursive: true, force: true }))

test('the package contains what users need and no paths of this machine', () => {
  assert.deepEqual(checkPackedFiles(installed, [framework, 'framework-stage-']), [])
})

test('every source file has its module in the package', () => {
  const sources = globSync('**/*.ts', { cwd: join(framework, 'src') })
  const expected = sources.filter((path) => !path.endsWith('.test.ts'))
  const found = globSync('**/*.js', { cwd: join(installed, 'dist') })
  const modules = found.filter((path) => !path.includes('/module/public/'))
  const stem = (path: string): string => path.replace(/\.(ts|js)$/, '')
  assert.deepEqual(modules.map(stem).toSorted(), expected.map(stem).toSorted())
})

test('the package contains the starters, with the file that npm would drop renamed', () => {
  for (const starter of ['auth', 'minimal', 'full']) {
    assert.ok(existsSync(join(installed, 'scaffold', starter, 'package.json')), starter)
    assert.ok(existsSync(join(installed, 'scaffold', starter, 'gitignore')), starter)
  }
  assert.ok(existsSync(join(installed, 'scaffold', 'accounts', 'accounts-module.ts')))
})

test('every subpath can be imported by plain Node and has the values its barrel names', () => {
  const expected = barrels.map(({ subpath, values }) => [subpath, [...values].toSorted()])
  const found = importedNames(consumer, exportedSubpaths(framework))
  assert.deepEqual(found, Object.fromEntries(expected))
})

test('a project that imports every name of every subpath type-checks, but not a missing one', () => {
  const lines = barrels.map(({ subpath, values, types }, index) => {
    const named = [...values].map((name) => `${name} as ${name}${index}`)
    const typed = [...types].map((name) => `type ${name} as ${name}${index}`)
    return `import { ${[...named, ...typed].join(', ')} } from '${subpath}'`
  })
  // The compiler also complains where it expects an error in vain.
  const missing = `// @ts-expect-error\nimport { Missing } from 'framework'`
  assert.equal(compileConsumer(consumer, [...lines, missing].join('\n')), '')
})

test('the package verifies a bcrypt hash, which needs its worker file', () => {
  const script = `
    const { Password } = await import('framework/security')
    const hash = '${bcryptVector}'
    const { valid, hash: fresh } = await new Password().inspect('U*U', hash)
    console.log(valid, fresh.startsWith('$argon2id$'))`
  const flags = ['--input-type=module', '--eval', script]
  const said = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  assert.equal(said, 'true true\n')
})

test('an error in the package points to its source line', () => {
  const script = `
    const { Router } = await import('framework/http')
    try { new Router().get('/', 'no function') } catch (error) { console.log(error.stack) }`
  const flags = ['--enable-source-maps', '--input-type=module', '--eval', script]
  const stack = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  assert.match(stack, /framework\/src\/http\/.+\.ts:\d+:\d+/)
})

test('a missing database driver is an error that says what to install', () => {
  for (const [driver, url] of [
    ['pg', 'postgres://127.0.0.1:1/shop'],
    ['mariadb', 'mariadb://127.0.0.1:1/shop'],
  ]) {
    const script = `
      const { connect } = await import('framework/database')
      await connect('${url}').catch((error) => console.log(error.code, error.message))`
    const flags = ['--input-type=module', '--eval', script]
    const said = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
    assert.match(said, new RegExp(`^E_DATABASE_DRIVER .*: npm install ${driver}\n$`))
  }
})

test('the packed command migrates a project', async () => {
  const migrations = join(consumer, 'migrations')
  await mkdir(migrations)
  await writeFile(
    join(migrations, '20260101000000_create_posts_table.ts'),
    `import type { Schema } from 'framework/database'
    export const up = (schema: Schema): Promise<void> =>
      schema.createTable('posts', (table) => table.key())`,
  )
  const command = join(consumer, 'node_modules', '.bin', 'framework')
  const ran = spawnSync(process.execPath, [command, 'migrate'], { cwd: consumer, encoding: 'utf8' })
  assert.deepEqual([ran.status, ran.stderr], [0, ''])
  assert.match(ran.stdout, /^20260101000000_create_posts_table +applied /m)
})

test('the packed command prints its version and help on Node 20 and newer', () => {
  const command = join(consumer, 'node_modules', '.bin', 'framework')
  const older = olderNodes().filter(({ version }) => Number.parseInt(version, 10) >= 20)
  for (const node of [process.execPath, ...older.map(({ program }) => program)]) {
    const version = spawnSync(node, [command, '--version'], { encoding: 'utf8' })
    assert.deepEqual([version.status, version.stderr], [0, ''])
    assert.match(version.stdout, /\d+\.\d+\.\d+/)
    const help = spawnSync(node, [command, 'new', '--help'], { encoding: 'utf8' })
    assert.deepEqual([help.status, help.stderr], [0, ''])
  }
})
