import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { testGroups } from '../runner/test-groups.ts'
import type { CodeBlock } from './code-blocks.ts'

/**
 * What runs a command of the documentation, or why nothing does. The pieces of lines in files below
 * `framework/tests` have among them all of its own words.
 */
export type CommandEntry =
  | { readonly command: string; readonly ranBy: readonly RunningLine[] }
  | { readonly command: string; readonly because: string }

type RunningLine = readonly [file: string, piece: string]

const ci = '../../.ci/run'
const engine = 'takes a container engine; new-project-container.test.ts follows the Dockerfile'
const systemd = 'takes systemd; workers.test.ts sends the signals that it sends'
const project = 'process/project-commands.test.ts'
const migrations = 'process/migrate-command.test.ts'
const making = 'process/new-project-make.ts'
const shipping = 'process/ship-metrics.test.ts'
const ejecting = 'process/new-project-eject.test.ts'

/** Every command in the documentation, except those in blocks and pages that tests run in full, and sized tests. */
export const commandEntries: readonly CommandEntry[] = [
  { command: 'npm install', ranBy: [[ci, 'npm install && npm test']] },
  { command: 'npm test', ranBy: [[ci, 'npm install && npm test']] },
  {
    command: 'npm test -- --busy 4',
    ranBy: [
      [ci, 'npm install && npm test'],
      ['package/run.test.ts', `look }, '--busy', '2')`],
    ],
  },
  { command: 'npm run test:newest-node', ranBy: [[ci, 'npm run test:newest-node -- --short']] },
  { command: 'npm run lint', ranBy: [[ci, 'npm run lint']] },
  { command: 'npm run format', because: 'changes files; npm run lint says whether it would' },
  { command: 'npm run typecheck', ranBy: [[ci, 'npm run typecheck']] },
  { command: 'npm run build', ranBy: [[ci, 'npm run build']] },
  { command: 'npm run reference', because: 'changes files; pages.test.ts says whether it would' },
  { command: 'npm run bench -- http', because: 'takes long, and is no test' },
  { command: 'npm run scan', because: 'takes long, and scanners of the system' },
  { command: 'npm run mutants', because: 'takes hours' },
  { command: 'npm run fuzz', because: 'takes five minutes; a test runs its short form' },
  { command: 'npm run soak', because: 'takes minutes; a test runs it with planted faults' },
  { command: 'bash .ci/run', because: 'runs this' },
  {
    command: 'npm start',
    ranBy: [
      ['process/demo-matrix-start.test.ts', `['start'], { cwd, env, program: [npmProgram()]`],
    ],
  },
  { command: 'npm run dev', ranBy: [['process/newcomer.ts', `'dev') return this.#serve(words)`]] },
  {
    command: 'OTEL_TRACES_EXPORTER=otlp npx framework serve',
    ranBy: [
      ['process/demo-trace.test.ts', `OTEL_TRACES_EXPORTER: 'otlp'`],
      ['process/demo-trace.test.ts', `RunningCommand(t, ['serve'], { cwd, env })`],
    ],
  },
  { command: 'npm ci --omit=dev', because: 'is npm alone; packed.test.ts installs the package' },
  { command: 'cd ../my-app', because: 'is the shell alone' },
  {
    command: 'npx framework new ../my-app',
    ranBy: [['process/new-project.test.ts', `runCommand({ after }, ['new', `]],
  },
  {
    command: 'npm pack ./framework --pack-destination ../my-app/vendor',
    ranBy: [['package/pack-framework.ts', `'pack', './framework', '--pack-destination', folder)`]],
  },
  {
    command: 'npm install ./vendor/framework-0.2.0.tgz',
    ranBy: [
      [
        'package/packed.test.ts',
        `'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)`,
      ],
    ],
  },
  {
    command: 'npx framework config',
    ranBy: [['process/console.test.ts', `runCommand(t, ['config', `]],
  },
  {
    command: 'npx framework check',
    ranBy: [['process/check-command.test.ts', `runCommand(t, ['check', `]],
  },
  {
    command: 'npx framework check --deploy',
    ranBy: [['process/check-command.test.ts', `runCommand(t, ['check', '--deploy']`]],
  },
  {
    command: 'npx framework routes',
    ranBy: [['process/console.test.ts', `runCommand(t, ['routes']`]],
  },
  {
    command: 'npx framework migrate',
    ranBy: [['process/new-project.test.ts', `runCommand(t, ['migrate']`]],
  },
  {
    command: 'npx framework migrate status',
    ranBy: [[migrations, `run(t, cwd, 'migrate status')`]],
  },
  { command: 'npx framework seed', ranBy: [[migrations, `run(t, cwd, 'seed')`]] },
  {
    command: 'npx framework make:migration create_orders_table',
    ranBy: [[migrations, 'run(t, cwd, `make:migration ${name}`)']],
  },
  { command: 'npx framework make:routes notes', ranBy: [[making, `['make:routes', 'NoteItems']`]] },
  {
    command:
      'npx framework make:entity Note title:string body:text done:boolean due-on:date:nullable',
    ranBy: [[making, `['make:entity', 'Note', ...columns]`]],
  },
  {
    command:
      'npx framework make:entity Post title:string slug:string:unique state:enumeration:draft,live author-id:references:users',
    ranBy: [[making, `['make:entity', 'Note', ...columns]`]],
  },
  {
    command: 'npx framework make:command notes:prune',
    ranBy: [[making, `['make:command', 'notes:prune']`]],
  },
  {
    command: 'npx framework make:job resize-picture',
    ranBy: [[making, `['make:job', 'resize-picture']`]],
  },
  { command: 'npx framework make:mail welcome', ranBy: [[making, `['make:mail', 'welcome']`]] },
  {
    command: 'npx framework queue run mail',
    ranBy: [['process/queue-command.test.ts', `RunningCommand(t, ['queue', 'run', 'mail']`]],
  },
  { command: 'npx framework run', ranBy: [[project, `run(t, cwd, 'run')`]] },
  {
    command: 'npx framework run items:import --help',
    ranBy: [[project, `run(t, cwd, 'run', 'stock:count', '--help')`]],
  },
  {
    command: 'npx framework run items:import list.txt --dry-run',
    ranBy: [[project, `['run', 'stock:count', '7', '--dry-run', 'a.txt', `]],
  },
  {
    command: 'npx framework accounts show ada@example.org',
    ranBy: [['process/accounts-support.test.ts', `run(['accounts', 'show', `]],
  },
  {
    command: 'npx framework accounts unlock ada@example.org',
    ranBy: [['process/accounts-unlock.test.ts', `runCommand(t, ['accounts', 'unlock', `]],
  },
  {
    command: 'curl -H "Authorization: Bearer $TOKEN" http://localhost:8087/api/account',
    because: 'needs a token that somebody creates; demo/tests/auth/api-tokens.test.ts sends one',
  },
  {
    command: 'npx framework profile --seconds 10',
    ranBy: [['process/profile-command.test.ts', `runCommand(t, ['profile', '--seconds', '2']`]],
  },
  { command: 'npx framework ship-metrics', ranBy: [[shipping, `runCommand(t, ['ship-metrics']`]] },
  {
    command: 'npx framework ship-metrics --interval 15',
    ranBy: [[shipping, `RunningCommand(t, ['ship-metrics', '--interval', `]],
  },
  {
    command: 'node scripts/observability-ship.ts',
    ranBy: [
      [
        shipping,
        `const program = ['--conditions=source', join(cwd, 'scripts', 'observability-ship.ts')`,
      ],
    ],
  },
  { command: 'npm install pg ioredis', because: 'is npm alone; demo-matrix.test.ts has them' },
  {
    command: 'npm install @simplewebauthn/server',
    because: 'is npm alone; passkeys.test.ts has it',
  },
  {
    command:
      'npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-presigned-post @aws-sdk/s3-request-presigner',
    because: 'is npm alone; storage-s3.test.ts has them',
  },
  { command: 'npm install openid-client', because: 'is npm alone; open-id.test.ts has it' },
  {
    command: 'npx framework eject accounts/login',
    ranBy: [
      [ejecting, `runCommand(t, ['eject', ...words], `],
      [ejecting, `eject('accounts/login')`],
    ],
  },
  {
    command: 'npx framework eject --status',
    ranBy: [[ejecting, `runCommand(t, ['eject', '--status'], `]],
  },
  {
    command: 'npx framework eject mails/verify',
    ranBy: [
      [ejecting, `runCommand(t, ['eject', ...words], `],
      ['../src/console/eject/eject-command.test.ts', `run('mails/verify')`],
    ],
  },
  {
    command: 'npx framework eject accounts',
    ranBy: [[ejecting, `runCommand(t, ['eject', 'accounts'], `]],
  },
  {
    command: `DATABASE_URL='postgres://shop:secret@db.internal/shop?pool=10' REDIS_URL='redis://cache.internal:6379/0?prefix=shop:' npm start`,
    ranBy: [
      [
        'process/demo-matrix.test.ts',
        `DATABASE_URL: url, WORKERS: '2', ...(setUp.redis && redisAt(at))`,
      ],
      ['process/demo-matrix.test.ts', 'return { REDIS_URL: withLongTimeouts('],
      ['process/demo-matrix-start.test.ts', `['start'], { cwd, env, program: [npmProgram()]`],
    ],
  },
  { command: 'openssl rand -hex 32', because: 'is a program of the system' },
  { command: 'docker …', because: engine },
  { command: 'sudo systemctl …', because: systemd },
  {
    command: `sqlite3 storage/database.sqlite ".backup 'backup.sqlite'"`,
    because: 'is a program of the system',
  },
]

/** The commands of a block, one by one, without comments. */
export function commandsIn({ code }: CodeBlock): string[] {
  const lines = code.replaceAll(/ *\\\n\s*/g, ' ').split('\n')
  return lines
    .map((line) => line.replace(/(?:^|\s+)# .*$/, ''))
    .flatMap((line) => line.split(' && '))
    .map((command) => command.trim())
    .filter((command) => command !== '')
}

/** The commands in the first column of the tables of a page, as a block. */
export function commandTable(page: string, markdown: string): CodeBlock {
  const rows = markdown.matchAll(/^\| `((?:[A-Z_]+=|npm |bash )[^`]+)` \|/gm)
  return { page, line: 1, label: '', code: Array.from(rows, ([, command]) => command).join('\n') }
}

/** The entry for a command; `…` in it matches any further arguments. */
export function entryFor(command: string): CommandEntry | undefined {
  const [program = ''] = /^(?:sudo )?\S+/.exec(command) ?? []
  return commandEntries.find(
    (entry) => entry.command === command || entry.command === `${program} …`,
  )
}

/** Whether a command runs some tests, perhaps at another size: it finds them, and they read its variables. */
export function isSizedTest(repository: string, command: string): boolean {
  const [, variables = '', part] =
    /^((?:[A-Z_]+=\S+ )*)npm test -- ([^-\s]\S*)(?: --silence \d+)?$/.exec(command) ?? []
  if (part === undefined) return false
  const files = testGroups(repository, [part], 0).flatMap((groups) =>
    groups.flatMap(({ files }) => files),
  )
  const text = files.map((file) => readFileSync(join(repository, file), 'utf8')).join('\n')
  const names = [...variables.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name)
  return files.length > 0 && names.every((name) => text.includes(`process.env['${name}']`))
}

/**
 * What is wrong with the lines that an entry names: lines that are not in their file, as code, and own words
 * of the command that no line has.
 */
export function wrongLines(tests: string, entry: CommandEntry, program: Command): string[] {
  if (!('ranBy' in entry)) return []
  const { command, ranBy } = entry
  const words = new Set(ranBy.flatMap(([, piece]) => piece.match(/-{0,2}\w(?:[\w:.-]*\w)?/g) ?? []))
  const unsaid = ownWords(command, program).filter((word) => !words.has(word))
  const absent = ranBy.filter(
    ([file, piece]) => !codeLines(tests, file).some((line) => line.includes(piece)),
  )
  return [
    ...unsaid.map((word) => `${command}: no line has ${word}`),
    ...absent.map(([file, piece]) => `${command}: ${file} has no line ${piece}`),
  ]
}

/** The words that say what a command does: its variables, subcommands and options, but no values. */
export function ownWords(command: string, program: Command): string[] {
  const [, assignments = '', line = ''] =
    /^((?:[A-Z_]+=(?:'[^']*'|\S*) )*)(.*)$/.exec(command) ?? []
  const variables = [...assignments.matchAll(/([A-Z_]+)=(?:'[^']*'|\S*) /g)].map(
    ([, name = '']) => name,
  )
  const words = line.replace(/^(?:npx framework|npm run|npm|node) /, '').split(' ')
  const options = words.filter((word) => /^--?[a-z]/.test(word))
  const named = line.startsWith('npx framework ')
    ? subcommands(words, program)
    : [words[0]?.split('/').at(-1) ?? '']
  return [...variables, ...named, ...options.map((option) => option.replace(/=.*/, ''))]
}

/** The leading words that are commands; what follows them is a value. */
function subcommands(words: readonly string[], program: Command): string[] {
  const [word = '', ...others] = words
  const next = program.commands.find((command) => command.name() === word)
  const { argChoices: choices = [] } = program.registeredArguments[0] ?? {}
  if (next === undefined) return choices.includes(word) ? [word] : []
  return [word, ...subcommands(others, next)]
}

/** The lines of a file that run: comments and titles of tests do not. */
function codeLines(tests: string, file: string): string[] {
  const path = join(tests, file)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|#|test\()/.test(line))
}
