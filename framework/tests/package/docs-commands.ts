import type { CodeBlock } from './code-blocks.ts'

/** The test that runs a command of the documentation and the words that do it, or why there is none. */
export type CommandEntry =
  | { readonly command: string; readonly test: string; readonly words: string }
  | { readonly command: string; readonly because: string }

const chores = 'is what this very run stands on'
const engine = 'takes a container engine; new-project-container.test.ts follows the Dockerfile'
const systemd = 'takes systemd; workers.test.ts sends the signals that it sends'

/** Every command in the documentation, except those in blocks and pages that tests run in full. */
export const commandEntries: readonly CommandEntry[] = [
  { command: 'npm install', because: chores },
  { command: 'npm test', because: chores },
  { command: 'npm test -- --busy 4', test: 'package/run.test.ts', words: `'--busy', '2'` },
  { command: 'npm run test:newest-node', because: 'is a step of .ci/run, in its short form' },
  { command: 'npm run lint', because: 'is a step of .ci/run' },
  { command: 'npm run format', because: 'changes files; npm run lint says whether it would' },
  { command: 'npm run typecheck', because: 'is a step of .ci/run; in a project newcomer.test.ts' },
  { command: 'npm run reference', because: 'changes files; pages.test.ts says whether it would' },
  { command: 'npm run bench -- http', because: 'takes long, and is no test' },
  { command: 'npm run scan', because: 'takes long, and scanners of the system' },
  {
    command: 'QUEUE_TEST_JOBS=10000 npm test -- queue-killed-workers --silence 600',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'SCHEDULE_TEST_TIMES=1000 npm test -- schedule-machines --silence 300',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'REMEMBER_TEST_ROUNDS=20 npm test -- demo-remembered --silence 300',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'FORGOT_TEST_SAMPLES=200 npm test -- forgot-leaks --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'FACTOR_TEST_PROCESSES=50 npm test -- factor-races --silence 300',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'OPENAPI_TEST_RUNS=500 npm test -- conformance/openapi --silence 300',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'ORM_TEST_WORLDS=200 npm test -- orm/properties --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'EVENT_LOG_ROWS=1000000 LEDGER_PAYMENTS=500 npm test -- orm/programs --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'WALK_TEST_ROWS=200000 npm test -- orm/event-loop',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'NEW_PROJECT_TESTS=all npm test -- new-project-parts',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'TYPES_TEST_SECONDS=4 npm test -- package/type-cost',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'DOUBLE_CLICK_ROUNDS=20 npm test -- demo-double-click',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'FLEET_TEST_SECONDS=600 npm test -- prometheus.test --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'ERROR_TEST_SECONDS=60 npm test -- error-load --silence 300',
    because: 'is a test that runs at its usual size',
  },
  {
    command:
      'LIVE_TEST_CONNECTIONS=2000 LIVE_TEST_EVENTS=1000 npm test -- live-fleet --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'FLEET_TEST_SCRAPES=10000 npm test -- fleet-metrics --silence 900',
    because: 'is a test that runs at its usual size',
  },
  {
    command: 'SCREENSHOTS=docs/images npm test -- demo-screenshots',
    because: 'changes files; the test runs without that too',
  },
  { command: 'bash .ci/run', because: 'runs this' },
  { command: 'npm run build', test: 'package/pack-framework.ts', words: `'pack', './framework'` },
  { command: 'npm start', test: 'process/demo-matrix-start.test.ts', words: `['start']` },
  { command: 'npm run dev', test: 'process/newcomer.ts', words: `'dev'` },
  {
    command: 'npm run serve',
    test: 'process/new-project.test.ts',
    words: `'serve', '--port', '0']`,
  },
  {
    command: 'OTEL_TRACES_EXPORTER=otlp npx framework serve',
    test: 'process/demo-trace.test.ts',
    words: `['serve']`,
  },
  { command: 'npm ci --omit=dev', because: 'is npm alone; packed.test.ts installs the package' },
  { command: 'cd ../my-app', because: 'is the shell alone' },
  {
    command: 'npx framework new ../my-app',
    test: 'process/new-project.test.ts',
    words: `['new', `,
  },
  {
    command: 'npm pack ./framework --pack-destination ../my-app/vendor',
    test: 'package/pack-framework.ts',
    words: `'pack', './framework', '--pack-destination'`,
  },
  {
    command: 'npm install ./vendor/framework-0.2.0.tgz',
    test: 'package/packed.test.ts',
    words: `'--no-fund', tarball)`,
  },
  { command: 'npx framework config', test: 'process/console.test.ts', words: `['config', ` },
  { command: 'npx framework check', test: 'process/check-command.test.ts', words: `['check', ` },
  {
    command: 'npx framework check --deploy',
    test: 'process/check-command.test.ts',
    words: `['check', '--deploy']`,
  },
  { command: 'npx framework routes', test: 'process/console.test.ts', words: `['routes']` },
  { command: 'npx framework migrate', test: 'process/new-project.test.ts', words: `['migrate']` },
  {
    command: 'npx framework migrate status',
    test: 'process/migrate-command.test.ts',
    words: `'migrate status'`,
  },
  { command: 'npx framework seed', test: 'process/migrate-command.test.ts', words: `'seed'` },
  {
    command: 'npx framework make:migration create_orders_table',
    test: 'process/migrate-command.test.ts',
    words: `'make:migration `,
  },
  {
    command: 'npx framework queue run mail',
    test: 'process/queue-command.test.ts',
    words: `['queue', 'run', 'mail']`,
  },
  {
    command: 'npx framework run',
    test: 'process/project-commands.test.ts',
    words: `run(t, cwd, 'run')`,
  },
  {
    command: 'npx framework run items:import --help',
    test: 'process/project-commands.test.ts',
    words: `'stock:count', '--help'`,
  },
  {
    command: 'npx framework run items:import list.txt --dry-run',
    test: 'process/project-commands.test.ts',
    words: `'run', 'stock:count', '7', '--dry-run'`,
  },
  {
    command: 'npx framework accounts show ada@example.org',
    test: 'process/accounts-support.test.ts',
    words: `['accounts', 'show', `,
  },
  {
    command: 'npx framework accounts unlock ada@example.org',
    test: 'process/accounts-unlock.test.ts',
    words: `['accounts', 'unlock', `,
  },
  {
    command: 'curl -H "Authorization: Bearer $TOKEN" http://localhost:8087/api/account',
    because: 'needs a token that somebody creates; demo/tests/auth/api-tokens.test.ts sends one',
  },
  {
    command: 'npx framework ship-metrics',
    test: 'process/ship-metrics.test.ts',
    words: `['ship-metrics']`,
  },
  {
    command: 'npx framework ship-metrics --interval 15',
    test: 'process/ship-metrics.test.ts',
    words: `['ship-metrics', '--interval'`,
  },
  {
    command: 'node scripts/observability-ship.ts',
    test: 'process/ship-metrics.test.ts',
    words: `'scripts', 'observability-ship.ts'`,
  },
  { command: 'npm install pg ioredis', because: 'is npm alone; demo-matrix.test.ts has them' },
  {
    command: `DATABASE_URL='postgres://shop:secret@db.internal/shop?pool=10' REDIS_URL='redis://cache.internal:6379/0?prefix=shop:' npm run serve`,
    test: 'process/demo-matrix.test.ts',
    words: 'REDIS_URL',
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
