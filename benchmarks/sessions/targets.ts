import type { Figure } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'
import { Labels } from './contests.ts'
import { ratioOf, type Results, samplesOf } from './results.ts'

const leastOfAdonis = 1.5
const maxRatioToBare = 2
const maxRatioToSession = 1.3

const fastifyReading = [Labels.FastifyReading, Labels.FastifyNodeRedis]
const fastifyOnRedis = [Labels.Fastify, ...fastifyReading]

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  const read = (label: string, base: string): Figure | null =>
    ratioOf(samplesOf(results, 'read', label), samplesOf(results, 'read', base))
  const fastify = fastifyOnRedis.map((label) => {
    const ratio = read(label, Labels.Redis)
    return target(`${label}, needs more CPU than ours on Redis`, ratio, (value) => value > 1)
  })
  const embedded = [...fastifyOnRedis, Labels.Adonis].map((label) => {
    const ratio = read(label, Labels.Sqlite)
    return target(`${label}, needs more CPU than ours on SQLite`, ratio, (value) => value > 1)
  })
  const whole = ratioOf(
    samplesOf(results, 'stack', Labels.Whole),
    samplesOf(results, 'stack', Labels.BareForm),
  )
  const bearer = [Labels.Token, Labels.LimitedToken].map((label) => {
    const session = samplesOf(results, 'bearer', Labels.SignedIn)
    const claim = `${label}, costs at most ${maxRatioToSession} × a request with a session`
    const ratio = ratioOf(samplesOf(results, 'bearer', label), session)
    return target(claim, ratio, (value) => value <= maxRatioToSession)
  })
  const guests = ['guest', 'newcomer'].flatMap((contest) =>
    [...fastifyReading, Labels.Adonis, Labels.AdonisCookie].map((label) => {
      const ours = samplesOf(results, contest, Labels.Guest)
      const ratio = ratioOf(samplesOf(results, contest, label), ours)
      const claim = `${label}, needs more CPU than ours for the form of a ${contest}`
      return target(claim, ratio, (value) => value > 1)
    }),
  )
  return [
    ...fastify,
    target(
      `${Labels.Adonis}, needs at least ${leastOfAdonis} × the CPU of ours on Redis`,
      read(Labels.Adonis, Labels.Redis),
      (value) => value >= leastOfAdonis,
    ),
    ...embedded,
    ...guests,
    target(
      `session, CSRF and rate limit on SQLite together cost at most ${maxRatioToBare} × the bare route`,
      whole,
      (value) => value <= maxRatioToBare,
    ),
    ...bearer,
  ]
}

function target(claim: string, ratio: Figure | null, holds: (value: number) => boolean): Target {
  if (ratio === null) return { claim, measured: '', verdict: Verdicts.Unmeasured }
  const measured = `${ratio.median.toFixed(2)} × (${rangeOf(ratio)})`
  return { claim, measured, verdict: judge(ratio, holds) }
}

/** The interval of a ratio, as text. */
export function rangeOf({ interval: { low, high } }: Figure): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`
}
