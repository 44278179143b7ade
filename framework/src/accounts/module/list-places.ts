import type { Translate } from '../../i18n/languages.ts'
import type { Device, Trust } from '../devices/trust.ts'
import { describeAgent } from './describe-agent.ts'
import type { DescribedAgent } from './describe-agent.ts'
import type { Session } from '../../http/session/session.ts'
import type { Sessions } from '../../http/session/sessions.ts'

/** A browser that is signed in, or can sign in again without a password. Times are epoch seconds. */
export interface Place extends DescribedAgent {
  readonly peer: string
  readonly used: number
  /** Whether it is the browser of this request. */
  readonly current: boolean
  /** Whether it can sign in again without a password, until `expires`. */
  readonly remembered: boolean
  readonly expires: number | null
  /** Path of the form that signs it out. */
  readonly action: string
}

/**
 * Lists each place where an account is signed in once: a remembered device together with its sessions,
 * or a session without a device. This browser comes first, then the most recently used.
 */
export async function listPlaces(
  stores: { readonly sessions: Sessions; readonly trust: Trust },
  user: string,
  session?: Session,
  t?: Translate,
): Promise<Place[]> {
  const [own, devices, sessions] = await Promise.all([
    // Its session may be too new to be listed.
    session?.get('device') ?? null,
    stores.trust.list(user),
    stores.sessions.list(user, session === undefined ? {} : { current: session }),
  ])
  const remembered = devices.map((device) => {
    const live = sessions.filter((session) => session.device === device.handle)
    const [last = device] = live
    const current = device.handle === own || live.some((session) => session.current)
    // Ending only the session would let a remembered browser sign in again.
    const state = { current, expires: device.expires, revoke: `/devices/${device.handle}/revoke` }
    return placeOf(last.used > device.used ? last : device, state, t)
  })
  const handles = new Set<string | null>(devices.map(({ handle }) => handle))
  const others = sessions
    .filter(({ device }) => !handles.has(device))
    .map((session) => {
      const revoke = `/sessions/${session.handle}/revoke`
      return placeOf(session, { current: session.current, expires: null, revoke }, t)
    })
  return [...remembered, ...others].toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.used - one.used,
  )
}

function placeOf(
  { agent, peer, used }: Pick<Device, 'agent' | 'peer' | 'used'>,
  { current, expires, revoke }: { current: boolean; expires: number | null; revoke: string },
  t?: Translate,
): Place {
  const action = current ? '/logout' : revoke
  const remembered = expires !== null
  return { ...describeAgent(agent, t), peer, used, current, remembered, expires, action }
}
