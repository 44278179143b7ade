import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { cephPrograms, findCephProgram } from './ceph-programs.ts'
import { freePort } from './free-port.ts'
import { GuardedProcess } from './guarded-process.ts'
import { programMissing } from './test-programs.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)
const keys = { accessKey: 'AKIATESTTESTTEST', secretKey: 'secret/with+signs=' }

/** The values for `diskFrom`. */
export interface S3Bucket {
  readonly url: string
  readonly accessKey: string
  readonly secretKey: string
}

/** A server that speaks S3, for tests. */
export interface S3Server {
  /** The address of the server. */
  readonly endpoint: string
  /** The settings for a new, empty bucket. */
  bucket(): Promise<S3Bucket>
  /** What the server has written about itself; empty for one that is not ours. */
  log(): Promise<string>
  /** Kills the server, like a power cut. Rejects for one that is not ours. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. Rejects for one that is not ours. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * The server at `TEST_S3_URL`, `https://<access key>:<secret key>@<host>`, or a Ceph of our own.
 * @throws Error that says why there is none.
 */
export function startS3(): Promise<S3Server> {
  const given = process.env['TEST_S3_URL'] ?? ''
  return given === '' ? startOwnS3() : Promise.resolve(foreignServer(new URL(given)))
}

/**
 * Starts a Ceph: a monitor, a store in memory, and the gateway that speaks S3.
 * @throws Error that says why there is none.
 */
export async function startOwnS3(): Promise<S3Server> {
  const missing = cephPrograms.find((name) => findCephProgram(name) === null)
  if (missing !== undefined) throw new Error(programMissing(missing))
  const folder = mkdtempSync(join(tmpdir(), 'framework-s3-'))
  try {
    const ceph = new OwnCeph(folder, await freePort(), await freePort())
    await ceph.start()
    return ceph
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

class OwnCeph implements S3Server {
  readonly endpoint: string
  readonly #folder: string
  readonly #port: number
  readonly #monitorPort: number
  readonly #base: GuardedProcess[] = []
  #gateway: GuardedProcess | null = null

  constructor(folder: string, port: number, monitorPort: number) {
    this.endpoint = `http://127.0.0.1:${port}`
    this.#folder = folder
    this.#port = port
    this.#monitorPort = monitorPort
  }

  async start(): Promise<void> {
    const [cluster, store] = [randomUUID(), randomUUID()]
    for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(this.#folder, name))
    const monitor = `[v2:127.0.0.1:${this.#monitorPort}]`
    writeFileSync(join(this.#folder, 'ceph.conf'), configuration(this.#folder, cluster, monitor))
    const keyring = join(this.#folder, 'keyring')
    const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']
    const newKey = ['--gen-key', '-n']
    await this.#run('ceph-authtool', keyring, '--create-keyring', ...newKey, 'mon.', ...all)
    await this.#run('ceph-authtool', keyring, ...newKey, 'client.admin', ...all)
    await this.#run('ceph-authtool', keyring, ...newKey, 'osd.0', ...all)
    const map = join(this.#folder, 'monmap')
    await this.#run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', monitor, map)
    await this.#run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
    this.#base.push(this.#guard('ceph-mon', '-f', '-i', 'a'))
    await this.#run('ceph', 'osd', 'new', store)
    await this.#run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    this.#base.push(this.#guard('ceph-osd', '-f', '-i', '0'))
    await this.restart()
    const user = ['user', 'create', '--uid', 'tests', '--display-name', 'tests']
    user.push('--access-key', keys.accessKey, '--secret', keys.secretKey)
    await this.#run('radosgw-admin', ...user)
  }

  bucket(): Promise<S3Bucket> {
    return newBucket(this.endpoint, keys)
  }

  log(): Promise<string> {
    return readFile(join(this.#folder, 'client.admin.log'), 'utf8')
  }

  async kill(): Promise<void> {
    await this.#gateway?.end('keep')
    this.#gateway = null
  }

  async restart(): Promise<void> {
    const gateway = this.#guard(
      'radosgw',
      '-f',
      '-n',
      'client.admin',
      `--rgw-frontends=beast endpoint=127.0.0.1:${this.#port}`,
    )
    this.#gateway = gateway
    await waitFor('the gateway of Ceph', () => answers(this.endpoint)).catch(() => {
      throw new Error(`Ceph did not start: ${gateway.errors}`)
    })
  }

  async stop(): Promise<void> {
    for (const part of [this.#gateway, ...this.#base.splice(0).reverse()]) await part?.end('keep')
    this.#gateway = null
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }

  #guard(program: string, ...parameters: string[]): GuardedProcess {
    return new GuardedProcess(findCephProgram(program) ?? program, parameters, {
      folder: this.#folder,
      signal: 'KILL',
      env: this.#env,
    })
  }

  async #run(program: string, ...parameters: string[]): Promise<void> {
    await run(program, parameters, { env: { ...process.env, ...this.#env }, timeout: 60_000 })
  }

  get #env(): Readonly<Record<string, string>> {
    return { CEPH_CONF: join(this.#folder, 'ceph.conf') }
  }
}

// Ceph waits for a second before each change of its maps, for others to join it: here there are none.
function configuration(folder: string, cluster: string, monitor: string): string {
  const settings = {
    fsid: cluster,
    'mon host': monitor,
    'mon initial members': 'a',
    'public network': '127.0.0.0/8',
    'paxos propose interval': '0.05',
    'paxos min wait': '0.01',
    'auth allow insecure global id reclaim': 'false',
    'osd pool default size': '1',
    'osd pool default min size': '1',
    'osd pool default pg num': '1',
    'osd pool default pgp num': '1',
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': '0',
    'osd objectstore': 'memstore',
    'memstore device bytes': '4G',
    'osd data': join(folder, 'osd'),
    'mon allow pool size one': 'true',
    'mon data': join(folder, 'mon'),
    'mon data avail crit': '1',
    'rgw data': join(folder, 'rgw'),
    'rgw enable gc threads': 'false',
    'rgw enable lc threads': 'false',
    'rgw run sync thread': 'false',
    'rgw enable usage log': 'false',
    // A cache that a killed gateway would be asked to empty, for half a minute.
    'rgw cache enabled': 'false',
    'run dir': folder,
    'log file': join(folder, '$name.log'),
    'admin socket': '',
    keyring: join(folder, 'keyring'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  return `[global]\n${lines.join('\n')}\n`
}

/** A server run by others: it is used, never stopped. */
function foreignServer({ origin, username, password }: URL): S3Server {
  const given = {
    accessKey: decodeURIComponent(username),
    secretKey: decodeURIComponent(password),
  }
  const refuse = (): Promise<never> => Promise.reject(new Error('this server is not ours'))
  return {
    endpoint: origin,
    bucket: () => newBucket(origin, given),
    log: () => Promise.resolve(''),
    kill: refuse,
    restart: refuse,
    stop: () => Promise.resolve(),
  }
}

async function newBucket(endpoint: string, user: typeof keys): Promise<S3Bucket> {
  const name = `framework-${randomBytes(8).toString('hex')}`
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: user.accessKey, secretAccessKey: user.secretKey },
  })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return { url: `s3://${name}?endpoint=${endpoint}`, ...user }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(endpoint)).ok
  } catch {
    return false
  }
}
