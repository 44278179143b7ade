import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import type { HeapProfiler, Profiler } from 'node:inspector'
import { basename, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { createPrivateFolder, privateFile } from '../../base/files/private-files.ts'
import { fileLabel } from '../../errors/stack/file-label.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import type { ServerHost } from '../../http/server/server-host.ts'

/** Bounds of a profile, so that its file stays below 10 MB. */
export const maxSeconds = 60
const sampleMicros = 1_000
const sampleBytes = 32_768
/** Older ones are deleted. */
const maxProfiles = 10
/** How much later than it should a profile may be finished. */
const graceMs = 20_000
const lookMs = 250
/** How long an idle worker leaves a profile to the others, also to one whose event loop is blocked for a while. */
const yieldMs = 4_000

/** How far a profile is: somebody asked for it, a worker takes it, it is there. */
export type ProfileStates = 'wanted' | 'running' | 'cpuprofile'

/** What a worker spends its time on, or what it has allocated meanwhile and still has. */
export type ProfileKinds = 'cpu' | 'memory'

/** A profile of a worker, or one that is being taken. */
export interface ProfileFile {
  readonly id: string
  readonly state: ProfileStates
  /** Epoch seconds. */
  readonly at: number
  readonly seconds: number
  readonly kind: ProfileKinds
}

const idForm = /^(\d{13})-(\d{1,2})([sm])-[\da-f]{8}$/

/** Asks the workers of a project for a profile: the first that is free takes it. */
export function wantProfile(
  root: string,
  seconds: number,
  kind: ProfileKinds = 'cpu',
): ProfileFile {
  // Makes room.
  listProfiles(root)
  const at = Date.now()
  const id = `${at}-${seconds}${kind === 'cpu' ? 's' : 'm'}-${randomBytes(4).toString('hex')}`
  writeFileSync(profilePath(root, id, 'wanted'), '', { mode: privateFile })
  return { id, state: 'wanted', at: at / 1_000, seconds, kind }
}

/**
 * Takes the profiles that are wanted of this process while it serves. Whoever can write into the private
 * folder of the project can want one.
 */
export function watchProfiles({ onServe, onClose }: ServerHost, root: string): void {
  onServe(() => {
    createPrivateFolder(profileFolder(root))
    try {
      const watcher = watch(profileFolder(root), { persistent: false }, (_event, name) => {
        const wanted = name === null ? null : profileNamed(name)
        if (wanted?.state === 'wanted') void takeProfile(root, wanted)
      })
      // The folder was removed: then there are no profiles.
      onClose(() => watcher.on('error', () => {}).close())
    } catch {
      // A disk that cannot be written or watched is no reason not to serve.
    }
  })
}

/** The file of a profile in a state. */
export function profilePath(root: string, id: string, state: ProfileStates): string {
  return join(profileFolder(root), `${id}.${state}`)
}

/** Where the profiles of a project are. */
export function profileFolder(root: string): string {
  return join(root, 'storage', 'profiles')
}

/** The profiles of a project, newest first. Those that were never finished are deleted. */
export function listProfiles(root: string): readonly ProfileFile[] {
  createPrivateFolder(profileFolder(root))
  const found = readdirSync(profileFolder(root)).flatMap((name) => profileNamed(name) ?? [])
  const files = found.toSorted((one, other) => other.at - one.at)
  return files.filter(({ id, state, at, seconds }, nth) => {
    const isLate = state !== 'cpuprofile' && Date.now() > (at + seconds) * 1_000 + graceMs
    if (nth < maxProfiles && !isLate) return true
    rmSync(profilePath(root, id, state), { force: true })
    return false
  })
}

/** The profile whose file has this name; null for any other file. */
export function profileNamed(name: string): ProfileFile | null {
  const [id = '', ending] = name.split('.')
  const [, ms, seconds, letter] = idForm.exec(id) ?? []
  const state = (['wanted', 'running', 'cpuprofile'] as const).find((one) => one === ending)
  if (state === undefined || ms === undefined) return null
  const kind = letter === 'm' ? 'memory' : 'cpu'
  return { id, state, at: Number(ms) / 1_000, seconds: Number(seconds), kind }
}

let isRunning = false

/**
 * Takes a profile of this process, if it is the first that claims the wanted one and is not being profiled already.
 * Of several workers the busiest claims first, or the one whose memory is fullest. The engine's profiler is loaded
 * only now.
 */
export async function takeProfile(root: string, wanted: ProfileFile): Promise<void> {
  const running = profilePath(root, wanted.id, 'running')
  try {
    if (cluster.isWorker) await pause((1 - (await shareOf(wanted.kind))) * yieldMs)
    if (isRunning) return
    renameSync(profilePath(root, wanted.id, 'wanted'), running)
  } catch {
    return
  }
  isRunning = true
  await CurrentWork.runOutside(() => writeProfile(root, wanted))
    // A disk that is full costs only the profile.
    .catch(() => {})
  isRunning = false
  rmSync(running, { force: true })
}

/** How much of the time this process is busy now, or how full its memory is, from 0 to 1. */
async function shareOf(kind: ProfileKinds): Promise<number> {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  if (kind === 'memory') return used / limit
  const before = performance.eventLoopUtilization()
  await pause(lookMs)
  return performance.eventLoopUtilization(before).utilization
}

async function writeProfile(root: string, { id, seconds, kind }: ProfileFile): Promise<void> {
  const text = JSON.stringify(withoutValues(await profileFor(seconds, kind), root))
  const running = profilePath(root, id, 'running')
  writeFileSync(running, text, { mode: privateFile })
  renameSync(running, profilePath(root, id, 'cpuprofile'))
}

function pause(ms: number): Promise<unknown> {
  return sleep(ms, undefined, { ref: false })
}

async function profileFor(seconds: number, kind: ProfileKinds): Promise<Profiler.Profile> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  const ends = (): Promise<unknown> => pause(Math.min(seconds, maxSeconds) * 1_000)
  try {
    if (kind === 'memory') {
      await session.post('HeapProfiler.startSampling', { samplingInterval: sampleBytes })
      await ends()
      // What nobody needs any more is no leak.
      await session.post('HeapProfiler.collectGarbage')
      const { profile } = await session.post('HeapProfiler.stopSampling')
      return { nodes: allocationsOf(profile.head), startTime: 0, endTime: 0 }
    }
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: sampleMicros })
    await session.post('Profiler.start')
    await ends()
    return (await session.post('Profiler.stop')).profile
  } finally {
    session.disconnect()
  }
}

/** Calls with the bytes that they have allocated in place of samples. */
function allocationsOf(head: HeapProfiler.SamplingHeapProfileNode): Profiler.ProfileNode[] {
  const nodes: Profiler.ProfileNode[] = []
  const add = (node: HeapProfiler.SamplingHeapProfileNode): number => {
    const [id, children]: [number, number[]] = [nodes.length + 1, []]
    nodes.push({ id, callFrame: node.callFrame, hitCount: node.selfSize, children })
    for (const child of node.children) children.push(add(child))
    return id
  }
  add(head)
  return nodes
}

/** Functions have the names that are in the source, and files are relative to the project: no value is in a profile. */
function withoutValues(profile: Profiler.Profile, root: string): Profiler.Profile {
  const nodes = profile.nodes.map(({ callFrame, ...node }) => {
    const { functionName, url, lineNumber, columnNumber } = callFrame
    const frame = { functionName, scriptId: '0', url: placeOf(url, root) }
    return { ...node, callFrame: { ...frame, lineNumber, columnNumber } }
  })
  return { ...profile, nodes }
}

/** A path that tells nothing of the machine: in the project, or else in the package it belongs to. */
function placeOf(url: string, root: string): string {
  if (!url.startsWith('file:')) return url.startsWith('node:') ? url : ''
  const path = fileURLToPath(url.replace(/[?#].*$/, ''))
  const label = fileLabel(path, root)
  return label === path ? `…/${basename(dirname(path))}/${basename(path)}` : label
}
