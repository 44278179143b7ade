import { cephPrograms, findCephProgram } from './ceph-programs.ts'
import { findChromium } from './chromium-program.ts'
import { findCurl } from './curl-program.ts'
import { findDjangoPasswords } from './django-passwords-file.ts'
import { findMariadbPrograms } from './mariadb-programs.ts'
import { findOathtool } from './oathtool-program.ts'
import { findPostgresPrograms } from './postgres-programs.ts'
import { findPrometheusProgram } from './prometheus-programs.ts'
import { findRedisProgram } from './redis-programs.ts'

/** A program that some tests need, and its source. */
export interface TestProgram {
  readonly name: string
  /** Its package in Debian: if there is a choice, the one that starts no server of its own. */
  readonly package: string
  /** The variable that names another one: a file, or the URL of a server that runs. */
  readonly variable: string
  /** The modules beside this one that run it. */
  readonly modules: readonly string[]
  /** What a test calls that stops its server, which it never does to one that a URL names. */
  readonly startOwn?: string
  isHere(): boolean
}

/** Every program that is not of npm alone. */
export const testPrograms: readonly TestProgram[] = [
  {
    name: 'Chromium',
    package: 'chromium-headless-shell',
    variable: 'CHROMIUM_PATH',
    modules: ['browser.ts'],
    isHere: () => findChromium() !== null,
  },
  {
    name: 'PostgreSQL',
    package: 'postgresql',
    variable: 'TEST_POSTGRES_URL',
    modules: ['postgres-server.ts'],
    startOwn: 'startOwnPostgres',
    isHere: () => findPostgresPrograms() !== null,
  },
  {
    name: 'MariaDB',
    package: 'mariadb-server-core',
    variable: 'TEST_MARIADB_URL',
    modules: ['mariadb-server.ts'],
    startOwn: 'startOwnMariadb',
    isHere: () => findMariadbPrograms() !== null,
  },
  {
    name: 'Redis',
    package: 'redis-tools',
    variable: 'TEST_REDIS_URL',
    modules: ['redis-server.ts'],
    startOwn: 'startOwnRedis',
    isHere: () => findRedisProgram() !== null,
  },
  // A server that speaks S3, in three packages.
  ...cephPrograms.map((name) => {
    return {
      name,
      package: name,
      variable: 'TEST_S3_URL',
      modules: ['s3-server.ts'],
      startOwn: 'startOwnS3',
      isHere: () => findCephProgram(name) !== null,
    }
  }),
  {
    name: 'Prometheus',
    package: 'prometheus',
    variable: 'PROMETHEUS',
    modules: ['prometheus.ts'],
    isHere: () => findPrometheusProgram('prometheus') !== null,
  },
  {
    name: 'promtool',
    package: 'prometheus',
    variable: 'PROMTOOL',
    modules: ['promtool.ts'],
    isHere: () => findPrometheusProgram('promtool') !== null,
  },
  {
    name: 'curl',
    package: 'curl',
    variable: 'CURL',
    modules: ['curl.ts'],
    isHere: () => findCurl() !== null,
  },
  {
    name: 'oathtool',
    package: 'oathtool',
    variable: 'OATHTOOL',
    modules: ['oathtool.ts'],
    isHere: () => findOathtool() !== null,
  },
  {
    name: 'the common passwords of Django',
    package: 'python3-django',
    variable: 'DJANGO_PASSWORDS',
    modules: ['django-passwords.ts'],
    isHere: () => findDjangoPasswords() !== null,
  },
]

/** Why tests that need a program are skipped, and how to have them run. */
export function programMissing(name: string): string {
  const program = testPrograms.find((one) => one.name === name)
  if (program === undefined) throw new Error(`${name} is no program of the tests`)
  const { variable, package: debian, startOwn } = program
  const given = process.env[variable] ?? ''
  if (given !== '' && startOwn === undefined) return `${variable} names no program: ${given}`
  return `needs ${name}: install ${debian}, which npm test does as root on Debian, or set ${variable}`
}
